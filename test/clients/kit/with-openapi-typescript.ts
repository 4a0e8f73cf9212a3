import createClient from 'openapi-fetch'
import type { components, paths } from './generated/openapi-typescript'

type Person = components['schemas']['IndividualCreate']

/** The first step of a nightly sync: who is new is created, and found again. */
async function main(): Promise<void> {
  const headers = { authorization: `Token ${process.env.TOKEN}` }
  // Lists can be had as files too: which of their types is meant is for the client to say.
  const client = createClient<paths, 'application/json'>({ baseUrl: process.env.SERVER ?? '', headers })
  const wanted: Person[] = ['ot-1', 'ot-2', 'ot-3'].map((external_id) => ({
    external_id,
    given_name: 'Ada',
    family_name: external_id,
  }))
  for (const body of wanted) {
    const { error } = await client.POST('/api/v1/individuals', { body })
    if (error) throw new Error(`${error.error.code}: ${error.msg}`)
  }
  const { data, error } = await client.GET('/api/v1/individuals', {
    params: { query: { external_id: ['in.(ot-1,ot-2,ot-3)'], status: ['eq.active'], limit: 100 } },
  })
  if (error) throw new Error(error.msg)
  const names: string[] = data.data.map((person) => person.display_name)
  if (names.length !== wanted.length) throw new Error(`found ${names.join(', ')}`)
  const missing = await client.GET('/api/v1/individuals/{id}', {
    params: { path: { id: '01997d2a-4c00-7000-8000-000000000001' } },
  })
  if (missing.error?.error.code !== 'NOT_FOUND') throw new Error('somebody is there who is not')
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})

import { createIndividual, getIndividual, type IndividualCreate, listIndividuals } from './generated/hey-api'
import { client } from './generated/hey-api/client.gen'

/** The first step of a nightly sync: who is new is created, and found again. */
async function main(): Promise<void> {
  client.setConfig({ baseUrl: process.env.SERVER ?? '', headers: { authorization: `Token ${process.env.TOKEN}` } })
  const wanted: IndividualCreate[] = ['hey-1', 'hey-2'].map((external_id) => ({
    external_id,
    given_name: 'Ada',
    family_name: external_id,
  }))
  for (const body of wanted) {
    const { error } = await createIndividual({ body })
    if (error) throw new Error(`${error.error.code}: ${error.msg}`)
  }
  const { data, error } = await listIndividuals({ query: { external_id: ['in.(hey-1,hey-2)'], status: ['eq.active'] } })
  if (!data) throw new Error(error?.msg)
  const names: string[] = data.data.map((person) => person.display_name)
  if (names.length !== wanted.length) throw new Error(`found ${names.join(', ')}`)
  const missing = await getIndividual({ path: { id: '01997d2a-4c00-7000-8000-000000000001' } })
  if (missing.error?.error.code !== 'NOT_FOUND') throw new Error('somebody is there who is not')
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})

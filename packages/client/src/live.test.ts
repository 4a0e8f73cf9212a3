import { expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { Gatehouse } from './client.ts'
import { UnauthorizedError } from './errors.ts'

const house = await startHouse()
const server = await house.app.listen({ port: 0, host: '127.0.0.1' })
const gatehouse = new Gatehouse({ server, token: house.owner.token, sleep: async () => undefined })

it('follows the changes of the real service, and goes on where it was left', async () => {
  const seen = async (after: string | undefined, wanted: number) => {
    const controller = new AbortController()
    const events: Array<{ id: string | undefined; type: string }> = []
    for await (const { id, type } of gatehouse.stream('/api/v1/changes/stream', { after, signal: controller.signal })) {
      events.push({ id, type })
      if (events.length === wanted) controller.abort()
    }
    return events
  }
  const [newest] = (
    await gatehouse.request<Array<{ sequence: number }>>('GET', '/api/v1/changes', { query: { limit: 100 } })
  ).data.slice(-1)
  const after = String(newest?.sequence ?? 0)
  for (const name of ['Aarau', 'Baden', 'Chur']) await gatehouse.post('/api/v1/locations', { body: { name } })
  const three = await seen(after, 3)
  expect(three.map(({ type }) => type)).toEqual(Array(3).fill('location.created'))
  expect(await seen(three[0]?.id, 2)).toEqual(three.slice(1))
  const nobody = new Gatehouse({ server, token: 'acs_pat_no' })
  await expect(nobody.stream('/api/v1/changes/stream').next()).rejects.toBeInstanceOf(UnauthorizedError)
})

import { expect, it } from 'vitest'
import { turnsDuring } from '../../test/support/loop-turns.ts'
import { parseBody } from './body.ts'

const MANY = 40
const parseMany = (body: object) =>
  turnsDuring(() => Promise.all(Array.from({ length: MANY }, () => parseBody(Buffer.from(JSON.stringify(body))))))

it('large bodies that come in at the same moment have a turn each, and others have turns between them', async () => {
  const large = { events: Array.from({ length: 1000 }, (_, n) => ({ type: 'door.opened', source_id: String(n) })) }
  const [parsed, turns] = await parseMany(large)
  expect(parsed).toEqual(Array.from({ length: MANY }, () => large))
  expect(turns).toBeGreaterThanOrEqual(MANY)
})

it('a small body waits for no turn', async () => {
  const [, turns] = await parseMany({ type: 'door.opened' })
  expect(turns).toBeLessThan(MANY)
})

import { expect, it } from 'vitest'
import { before } from '../../src/access/lists/both-sides.ts'
import { change } from '../../src/db/change.ts'
import { sql } from '../../src/db/sql.ts'
import { actor, startHouse } from '../support/app.ts'

const { engine, clock, owner } = await startHouse()
const reason = new Error('time is over')
const keep = (key: string): [string, unknown[]] => [
  'insert into login_networks (key, seen_at) values ($1, $2)',
  [key, '2026-11-15T08:00:00.000Z'],
]
const kept = async (key: string): Promise<number> =>
  (await engine.reader.all('select key from login_networks where key = $1', [key])).length

it('a transaction does no more once its time is over, and nothing of it is kept', async () => {
  const controller = new AbortController()
  let steps = 0
  const writing = engine.transaction(
    async (session) => {
      for (; steps < 20; steps++) {
        await session.run(...keep(`step ${steps}`))
        if (steps === 3) controller.abort(reason)
      }
    },
    { signal: controller.signal },
  )
  await expect(writing).rejects.toBe(reason)
  expect(steps).toBe(4)
  expect(await kept('step 0')).toBe(0)
})

// Elsewhere writers do not wait for each other.
it.skipIf(process.env.ENGINE === 'postgres')(
  'whoever waits for another is told when their time is over, not when it would be their turn',
  async () => {
    let end = () => {}
    const other = engine.transaction(
      () =>
        new Promise<void>((resolve) => {
          end = resolve
        }),
    )
    const controller = new AbortController()
    const waiting = engine.transaction((session) => session.run(...keep('waited')), { signal: controller.signal })
    setImmediate(() => controller.abort(reason))
    await expect(waiting).rejects.toBe(reason)
    await expect(engine.transaction(async () => undefined, { signal: controller.signal })).rejects.toBe(reason)
    end()
    await other
    // What came after it has its turn, and what was given up never has.
    await engine.transaction((session) => session.run(...keep('after')))
    expect([await kept('waited'), await kept('after')]).toEqual([0, 1])
  },
)

it('what a transaction looks up of before it ends with it', async () => {
  await owner.create('/api/v1/locations', { name: 'Campus' })
  const [organization] = await engine.reader.all<{ org: number }>('select org from locations', [])
  const controller = new AbortController()
  let isRefused = false
  const looking = change(
    engine,
    organization?.org ?? 0,
    clock.now(),
    actor,
    async (tx) => {
      controller.abort(reason)
      const rows = before({ tx, at: tx.now }).all(sql`select t.id from locations t where t.org = :org`)
      isRefused = await rows.then(
        () => false,
        (error) => error === reason,
      )
    },
    { signal: controller.signal },
  )
  await expect(looking).rejects.toBe(reason)
  expect(isRefused).toBe(true)
})

import { expect, it, vi } from 'vitest'
import { actor, startHouse } from '../../../test/support/app.ts'
import { change } from '../change.ts'

it.runIf(process.env.ENGINE === 'sqlite')(
  'on SQLite changes that wait for the disk keep nobody from writing',
  async () => {
    const { engine, clock } = await startHouse()
    const written: string[] = []
    const { transaction } = engine
    // A disk that takes its time.
    const { promise: isKept, resolve: keep } = Promise.withResolvers<void>()
    vi.spyOn(engine, 'transaction').mockImplementation(async (work, options) => {
      const result = await transaction.call(engine, work as never, options)
      await isKept
      return result as never
    })
    const changes = Array.from({ length: 12 }, (_, n) =>
      change(engine, 1, clock.now(), actor, async (tx) => {
        tx.event({ action: 'test.updated', resource: 'tests', resourceId: null, before: null, after: null })
        written.push(`${n}`)
      }),
    )
    await expect.poll(() => written.length).toBe(12)
    keep()
    await Promise.all(changes)
  },
)

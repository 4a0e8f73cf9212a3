import { expect, it } from 'vitest'
import { turnsDuring } from '../../test/support/loop-turns.ts'
import { atOnce, inTurns, Pauses, type Steps } from './pauses.ts'

/** Each step takes longer than one turn of the event loop may. */
function* slow(): Steps<string> {
  for (let step = 0; step < 5; step++) {
    for (const until = performance.now() + 6; performance.now() < until; );
    yield
  }
  return 'made'
}

it('what is made in steps lets others have a turn after each that was long, and comes to the same at once', async () => {
  const [made, turns] = await turnsDuring(() => inTurns(slow()))
  expect(made).toBe('made')
  expect(turns).toBeGreaterThanOrEqual(5)
  expect(atOnce(slow())).toBe('made')
})

it('a pause ends what nobody waits for any more', async () => {
  const reason = new Error('time is over')
  const pauses = new Pauses(AbortSignal.abort(reason))
  for (const until = performance.now() + 6; performance.now() < until; );
  await expect(pauses.take()).rejects.toBe(reason)
})

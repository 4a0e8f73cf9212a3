import { vi } from 'vitest'

/** How many turns of the event loop others have while something is done. */
export async function turnsDuring<T>(work: () => Promise<T>): Promise<[T, number]> {
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const result = await work()
  isDone = true
  return [result, turns]
}

/** The same by a clock under which each step takes longer than a turn may. */
export async function turnsInSlowSteps<T>(work: () => Promise<T>): Promise<[T, number]> {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10))
  const counted = await turnsDuring(work)
  clock.mockRestore()
  return counted
}

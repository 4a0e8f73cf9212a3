import { afterEach, expect, it, vi } from 'vitest'
import { AppError } from '../../core/errors.ts'
import { Turns } from './turns.ts'

/** Work that goes on until it is told to end, and says when it has begun. */
function createWork(turns: Turns) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const take = (org: number, name: string, signal?: AbortSignal): Promise<void> =>
    turns.take(
      org,
      () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      },
      { signal },
    )
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { begun, take, end }
}

const reasonOf = (taken: Promise<unknown>): Promise<unknown> =>
  taken.then(
    () => 'taken',
    (error) => (error instanceof AppError ? `${error.status} ${error.reason}` : error),
  )

afterEach(() => void vi.useRealTimers())

it('an organization has so many turns at once, and does not keep another from its own', async () => {
  const { begun, take, end } = createWork(new Turns(3, 2))
  void take(1, 'a1')
  void take(1, 'a2')
  void take(1, 'a3')
  void take(2, 'b1')
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await end('a1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
})

it('those who wait come in rotation, however many of one organization wait', async () => {
  const { begun, take, end } = createWork(new Turns(1, 1))
  for (const name of ['a1', 'a2', 'a3', 'a4']) void take(1, name)
  for (const name of ['b1', 'b2']) void take(2, name)
  void take(3, 'c1')
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name)
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

it('whoever leaves while waiting is passed over', async () => {
  const { begun, take, end } = createWork(new Turns(1, 1))
  const leaving = new AbortController()
  void take(1, 'first')
  const left = reasonOf(take(1, 'left', leaving.signal))
  void take(1, 'next')
  leaving.abort('left')
  expect(await left).toBe('left')
  await end('first')
  expect(begun).toEqual(['first', 'next'])
})

it('work that fails gives its turn on', async () => {
  const turns = new Turns(1, 1)
  const failed = turns.take(1, () => Promise.reject(new Error('failed')))
  const next = turns.take(1, async () => 'next')
  await expect(failed).rejects.toThrow('failed')
  expect(await next).toBe('next')
})

it('beyond 250 of one organization the next is refused at once, and another organization is not', async () => {
  const { take } = createWork(new Turns(1, 1))
  for (let i = 0; i <= 250; i++) void take(1, `a${i}`).catch(() => undefined)
  expect(await reasonOf(take(1, 'one more'))).toBe('503 too_many_writers')
  const other = new AbortController()
  const waiting = reasonOf(take(2, 'b', other.signal))
  other.abort('still waiting')
  expect(await waiting).toBe('still waiting')
})

it('nobody waits longer than 5 s for a turn, but what may take its time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const turns = new Turns(1, 1)
  const { take, end } = createWork(turns)
  void take(1, 'first')
  const waiting = reasonOf(take(1, 'second'))
  const patient = turns.take(1, async () => 'taken', { isUnhurried: true })
  await vi.advanceTimersByTimeAsync(5000)
  expect(await waiting).toBe('503 too_many_writers')
  await end('first')
  expect(await patient).toBe('taken')
})

it('who waits may go along in the turn of another, where that is allowed', async () => {
  const turns = new Turns<string>(1, 1)
  const ending = Promise.withResolvers<void>()
  const rides: string[] = []
  const companion = {
    ride: async (ride: string) => void rides.push(ride),
    outcome: Promise.resolve('went along'),
  }
  const first = turns.take(1, () => ending.promise)
  const alone = turns.take(1, async () => 'alone')
  const along = turns.take(1, async () => 'alone', { companion })
  expect([turns.hasCompanion(1), turns.hasCompanion(2)]).toEqual([true, false])
  await turns.nextCompanion(1)?.('this one')
  expect([turns.hasCompanion(1), turns.nextCompanion(1)]).toEqual([false, undefined])
  ending.resolve()
  expect([await first, await alone, await along, rides]).toEqual([undefined, 'alone', 'went along', ['this one']])
})

it('whoever needs its turn no longer gives it on, once, and goes on', async () => {
  const turns = new Turns(1, 1)
  const { promise: isDone, resolve: finish } = Promise.withResolvers<void>()
  const first = turns.take(1, async (leave) => {
    leave()
    await isDone
    return 'first'
  })
  const { promise: isHeld, resolve: letGo } = Promise.withResolvers<void>()
  const second = turns.take(1, () => isHeld)
  let hasThird = false
  const third = turns.take(1, async () => {
    hasThird = true
  })
  finish()
  expect(await first).toBe('first')
  // Its turn was over before: that it has come to its end lets nobody else begin.
  expect(hasThird).toBe(false)
  letGo()
  await Promise.all([second, third])
})

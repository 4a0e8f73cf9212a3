import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Keys } from '../../query/sql.ts'
import type { OpenedList } from './open.ts'
import { piecesOf } from './pieces.ts'

/** Rows by number, and how many of them have been asked for; one that is asked for behind `broken` cannot be read. */
function numbered(count: number, text = '', broken = Number.POSITIVE_INFINITY) {
  const asked: Array<[number, number]> = []
  const list: Pick<OpenedList, 'isWalked' | 'read' | 'shown'> = {
    isWalked: true,
    async read(after: Keys | null, limit: number) {
      const from = after === null ? 0 : Number(after[0]) + 1
      asked.push([from, limit])
      if (from > broken) throw new Error('it cannot be read')
      const rows = Array.from({ length: Math.min(limit, count - from) }, (_, index) => ({
        id: String(from + index),
        text,
      }))
      const last = from + rows.length - 1
      return { rows, next: last + 1 < count ? [last] : null }
    },
    shown: async (rows) => rows.map((row) => ({ ...row, isShown: true })),
  }
  return { asked, list: list as OpenedList }
}

it('all rows come once, in order, as they are answered, however many there are', async () => {
  for (const count of [0, 1, 20, 21, 519, 2000, 30_001]) {
    const pieces = await Array.fromAsync(piecesOf(numbered(count).list))
    const rows = pieces.flat()
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, id) => String(id)))
    expect(rows.every(({ isShown }) => isShown)).toBe(true)
    expect(Math.max(0, ...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(500)
  }
})

it('what follows is read before it is asked for, and no more than that: who takes nothing is not read for', async () => {
  const { asked, list } = numbered(30_000)
  const pieces = piecesOf(list)
  await pieces.next()
  await delay(50)
  expect(asked.length).toBe(3)
  for (let taken = 1; taken < 40; taken++) await pieces.next()
  const most = Math.max(...asked.map(([, limit]) => limit))
  expect(most).toBe(1500)
  const { length } = asked
  await delay(50)
  expect(asked.length).toBe(length)
  await pieces.return(undefined)
})

it('rows that are large are read a few at a time', async () => {
  const { asked, list } = numbered(300, 'x'.repeat(50_000))
  await Array.fromAsync(piecesOf(list))
  expect(Math.max(...asked.slice(2).map(([, limit]) => limit))).toBe(6)
})

it('what cannot be read is told in its turn: what comes before it is whole', async () => {
  const pieces = piecesOf(numbered(30_000, '', 5000).list)
  const rows: unknown[] = []
  const take = async () => {
    for await (const piece of pieces) rows.push(...piece)
  }
  await expect(take()).rejects.toThrow('it cannot be read')
  expect(rows.length).toBeGreaterThan(5000)
})

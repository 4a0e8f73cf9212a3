import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Keys, MarkList } from './mark-list.ts'

const STRIDE = 5
const text = fc.constantFrom('a', 'A', 'b', 'é', '\ue000', '😀', '\uffff', 'aa')
const key = fc.tuple(text, fc.integer({ min: 0, max: 300 }))
const step = fc.record({ out: fc.option(fc.nat()), in: fc.option(key) })

const bytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))
const compare = ([a, m]: [string, number], [b, n]: [string, number]) => bytes(a, b) || m - n

it('says how many rows stand before what follows a mark, whatever rows come, go and move', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(key, { maxLength: 80, selector: String }),
      fc.constantFrom('asc' as const, 'desc' as const),
      fc.array(step, { maxLength: 40 }),
      (start, direction, steps) => {
        const sign = direction === 'asc' ? 1 : -1
        const sort = (list: Array<[string, number]>) => list.toSorted((one, other) => sign * compare(one, other))
        let rows = sort(start)
        const marks = new MarkList(STRIDE, direction)
        const walk = () => {
          const rest = rows.slice(marks.last?.position ?? 0)
          marks.add(
            rest.filter((_, index) => (index + 1) % STRIDE === 0),
            true,
          )
        }
        walk()
        for (const { out, in: into } of steps) {
          const gone = out === null ? undefined : rows[out % Math.max(1, rows.length)]
          const left = rows.filter((row) => row !== gone)
          const came = into && !left.some((row) => compare(row, into) === 0) ? into : undefined
          rows = sort(came ? [...left, came] : left)
          marks.move([gone], [came])
          for (let offset = 0; offset <= rows.length + STRIDE; offset++) {
            const mark = marks.nearest(offset)
            if (!mark) continue
            const upTo = rows.filter((row) => sign * compare(row, pairOf(mark.keys)) <= 0)
            expect(mark.position).toBe(upTo.length)
            expect(mark.position).toBeLessThanOrEqual(offset)
          }
          if (marks.isShortOf(rows.length)) walk()
          expect(marks.isShortOf(rows.length)).toBe(false)
        }
      },
    ),
    { numRuns: 300 },
  )
})

const pairOf = ([name, number]: Keys): [string, number] => [String(name), Number(number)]

it('is walked on where many rows came behind its end', () => {
  const marks = new MarkList(STRIDE, 'asc')
  marks.add([[5]], true)
  expect(marks.isShortOf(14)).toBe(false)
  marks.move([], [[6], [7], [8], [9], [10]])
  expect(marks.isShortOf(9)).toBe(false)
  expect(marks.isShortOf(10)).toBe(true)
})

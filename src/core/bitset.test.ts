import fc from 'fast-check'
import { describe, it } from 'vitest'
import { Bitset } from './bitset.ts'

const members = fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 60 })
const bitsOf = (values: Iterable<number>): Bitset => {
  const bits = new Bitset()
  for (const value of values) bits.add(value)
  return bits
}
const listed = (bits: Bitset): number[] => {
  const list: number[] = []
  bits.forEach((index) => {
    list.push(index)
  })
  return list
}
const sorted = (set: ReadonlySet<number>): number[] => [...set].sort((a, b) => a - b)

describe('Bitset', () => {
  it('is the set of what was added, listed in order', ({ expect }) => {
    fc.assert(
      fc.property(members, fc.integer({ min: 0, max: 6000 }), (values, other) => {
        const bits = bitsOf(values)
        expect(listed(bits)).toEqual(sorted(new Set(values)))
        expect(bits.has(other)).toBe(values.includes(other))
      }),
    )
  })

  it('adds and takes away other sets, wherever each begins and ends', ({ expect }) => {
    fc.assert(
      fc.property(members, members, members, (first, second, third) => {
        const bits = bitsOf(first)
        bits.addAll(bitsOf(second))
        expect(listed(bits)).toEqual(sorted(new Set(first).union(new Set(second))))
        bits.removeAll(bitsOf(third))
        expect(listed(bits)).toEqual(sorted(new Set(first).union(new Set(second)).difference(new Set(third))))
      }),
    )
  })
})

import { expect, it } from 'vitest'
import type { OrgHandle } from '../db/org.ts'
import { slicesOf } from './slices.ts'

const ids = Array.from({ length: 12_000 }, (_, n) => `${n}`)
const [inside, outside] = [true, false].map((isTransaction) => ({ isTransaction }) as OrgHandle)
const taken = (handle = inside as OrgHandle, of = ids, few?: number) => {
  const slices = [...slicesOf(handle, of, few)]
  expect(slices.flatMap(([some]) => some)).toEqual(of)
  return { sizes: new Set(slices.map(([some]) => some.length)), extents: new Set(slices.map(([, extent]) => extent)) }
}

it('a transaction, which is read on the event loop, looks up a few at a time', () => {
  expect(taken()).toEqual({ sizes: new Set([500]), extents: new Set([undefined]) })
  expect(taken(inside, ids.slice(0, 25), 10).sizes).toEqual(new Set([10, 5]))
})

it('others look up many at a time, where that does not hold up the event loop', () => {
  expect(taken(outside)).toEqual({ sizes: new Set([5000, 2000]), extents: new Set(['all']) })
  expect(taken(outside, ids.slice(0, 500)).extents).toEqual(new Set([undefined]))
  expect(taken(outside, []).sizes.size).toBe(0)
})

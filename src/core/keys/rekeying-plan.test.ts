import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type RekeyingFacts, rekeyingPlan } from './rekeying-plan.ts'

const TYPES = ['A', 'B', 'C']
const facts: fc.Arbitrary<RekeyingFacts> = fc.record({
  keyType: fc.constantFrom(...TYPES),
  unaccounted: fc.nat(2),
  cylinders: fc
    .array(
      fc.record({ door: fc.constantFrom('d1', 'd2', 'd3', 'd4'), keyTypes: fc.uniqueArray(fc.constantFrom(...TYPES)) }),
      {
        maxLength: 7,
      },
    )
    .map((rows) => rows.map((row, n) => ({ id: `c${n}`, number: String(n), ...row }))),
  holders: fc
    .array(fc.tuple(fc.constantFrom(...TYPES), fc.constantFrom('ada', 'bob', 'cyd'), fc.integer({ min: 1, max: 3 })), {
      maxLength: 6,
    })
    .map((rows) => {
      const held = new Map<string, Map<string, number>>()
      for (const [type, person, count] of rows)
        held.set(type, (held.get(type) ?? new Map<string, number>()).set(person, count))
      return held
    }),
})

/** The doors that a missing copy opens once these cylinders are changed. */
const openDoors = ({ keyType, unaccounted, cylinders }: RekeyingFacts, changed: ReadonlySet<string>): Set<string> =>
  new Set(
    unaccounted === 0
      ? []
      : cylinders.filter(({ id, keyTypes }) => !changed.has(id) && keyTypes.includes(keyType)).map(({ door }) => door),
  )

function* subsets(ids: readonly string[]): Generator<Set<string>> {
  for (let bits = 0; bits < 1 << ids.length; bits++) yield new Set(ids.filter((_, n) => bits & (1 << n)))
}

it('closes every door, and no smaller set of cylinders does', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const ids = given.cylinders.map(({ id }) => id)
      const enough = [...subsets(ids)].filter((changed) => openDoors(given, changed).size === 0)
      const smallest = Math.min(...enough.map((changed) => changed.size))
      const { steps } = rekeyingPlan(given)
      expect(openDoors(given, new Set(steps.map(({ cylinderId }) => cylinderId))).size).toBe(0)
      expect(steps.length).toBe(smallest)
    }),
  )
})

it('says truly what each step leaves open, and whom it touches', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const plan = rekeyingPlan(given)
      const changed = new Set<string>()
      for (const step of plan.steps) {
        changed.add(step.cylinderId)
        expect(new Set(step.stillOpen)).toEqual(openDoors(given, changed))
        const opening = given.cylinders.find(({ id }) => id === step.cylinderId)?.keyTypes ?? []
        expect(new Set([...step.keyTypes, given.keyType])).toEqual(new Set(opening))
        const people = new Set(opening.flatMap((type) => [...(given.holders.get(type)?.keys() ?? [])]))
        expect(step.holders).toBe(people.size)
        expect(plan.holders).toBeGreaterThanOrEqual(step.holders)
        expect(plan.copies).toBeGreaterThanOrEqual(step.copies)
      }
    }),
  )
})

it('begins where the fewest copies have to be replaced, and takes the cylinders of one door together', () => {
  const plan = rekeyingPlan({
    keyType: 'A',
    unaccounted: 1,
    cylinders: [
      { id: 'c1', number: '1', door: 'hall', keyTypes: ['A', 'B'] },
      { id: 'c2', number: '2', door: 'archive', keyTypes: ['A'] },
      { id: 'c3', number: '3', door: 'hall', keyTypes: ['A'] },
      { id: 'c4', number: '4', door: 'cellar', keyTypes: ['B'] },
    ],
    holders: new Map([
      ['A', new Map([['ada', 1]])],
      [
        'B',
        new Map([
          ['ada', 1],
          ['bob', 2],
        ]),
      ],
    ]),
  })
  expect(plan).toEqual({
    steps: [
      { cylinderId: 'c2', door: 'archive', stillOpen: ['hall'], keyTypes: [], holders: 1, copies: 1 },
      { cylinderId: 'c1', door: 'hall', stillOpen: ['hall'], keyTypes: ['B'], holders: 2, copies: 4 },
      { cylinderId: 'c3', door: 'hall', stillOpen: [], keyTypes: [], holders: 1, copies: 1 },
    ],
    keyTypes: ['B'],
    holders: 2,
    copies: 4,
  })
})

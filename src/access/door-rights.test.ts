import { expect, it } from 'vitest'
import { turnsInSlowSteps } from '../../test/support/loop-turns.ts'
import type { Places } from '../db/places.ts'
import { DoorRights, Names, OwnRights } from './door-rights.ts'

const COUNT = 200
const doors = Array.from({ length: COUNT }, (_, n) => ({
  id: `d${n}`,
  name: '',
  space_id: `s${n}`,
  building_id: 'b',
  has_reader: true,
  doors: 1,
}))
const places = { above: () => ({ locations: ['l'], buildings: ['b'] }) } as unknown as Places

it('what many doors have is compared in turns with others, and comes to what was given', async () => {
  const own = new OwnRights(new Names(), new Map(), new Map())
  const grant = { subject: 'group', effect: 'allow' } as never
  const was = await DoorRights.of({ doors, places, wide: new Map(), own })
  const is = await DoorRights.of({ doors, places, wide: new Map([['l', [grant]]]), own })
  const [differences, turns] = await turnsInSlowSteps(() => was.differences(is))
  expect(differences).toEqual({ subjects: new Set(['group']), keyTypes: new Set() })
  expect(turns).toBeGreaterThanOrEqual(COUNT)
})

it('doors without anything of their own have the same, and one that was moved is looked at anew', () => {
  const grant = { subject: 'ada', effect: 'allow' } as never
  const own = new OwnRights(new Names(), new Map([['s2', [grant]]]), new Map([['d3', ['g1', 'g1']]]))
  const [first, second, third, fourth] = doors.slice(0, 4).map((door) => own.at(door))
  expect(first).toBe(second)
  expect(third?.rights).toEqual({ given: { allow: ['ada'], deny: [] }, keyTypes: [] })
  expect(fourth?.rights).toEqual({ given: { allow: [], deny: [] }, keyTypes: ['g1'] })
  expect(new Set([first, third, fourth].map((one) => one?.name)).size).toBe(3)
  const moved = { id: 'd0', name: '', space_id: 's2', building_id: 'b', has_reader: true, doors: 1 }
  expect(own.at(moved).name).toBe(third?.name)
  expect(own.at({ ...moved, has_reader: false })).toBe(first)
})

import { matchKeyOf } from '../core/cards/match-key.ts'
import { fold } from '../core/fold.ts'
import { inTurn } from '../core/typed.ts'
import type { Building, Estate } from './estate.ts'
import { departments } from './geography.ts'
import { companies, familyNames, givenNames } from './names.ts'
import { systemOf } from './systems.ts'
import type { World } from './world.ts'

/** Many more spaces need only some more people. */
export const peopleCount = (spaces: number): number => Math.max(20, Math.round(20 * Math.sqrt(spaces)))

type Kind = 'employee' | 'contractor' | 'tenant' | 'visitor' | 'service'
type Status = 'invited' | 'active' | 'suspended' | 'offboarded'

export interface Person {
  index: number
  kind: Kind
  status: Status
  department: string | null
  home: Building
}

/** What other rows need to know of a person; the same every time it is asked for. */
export function personOf(world: World, estate: Estate, index: number): Person {
  const random = world.random('individuals', index)
  const kind = random.weighted([
    ['employee', 78],
    ['contractor', 12],
    ['visitor', 6],
    ['tenant', 3],
    ['service', 1],
  ] as const)
  const status = random.weighted([
    ['active', 93],
    ['suspended', 2],
    ['invited', 2],
    ['offboarded', 3],
  ] as const)
  const home = random.pick(estate.buildings)
  const department = kind === 'employee' ? departmentAt(home, random.between(0, 2)) : null
  return { index, kind, status, department, home }
}

/** As in the building's rooms. */
const departmentAt = (building: Building, nth: number): string => inTurn(departments, building.index * 5 + nth)

export function* individualRows(world: World, estate: Estate, count: number): Generator<object> {
  for (let index = 0; index < count; index++) {
    const { kind, status, department, home } = personOf(world, estate, index)
    const random = world.random('individuals', index + 100_000_000)
    const given = random.pick(givenNames)
    const family = random.pick(familyNames)
    const number = String(10_001 + index)
    const isStaff = kind === 'employee'
    const manager = isStaff && index > 20 && random.chance(0.9) ? managerOf(world, estate, index) : undefined
    yield {
      ...world.base('individuals', index, isStaff ? `hr-${number}` : null),
      kind,
      given_name: given,
      family_name: family,
      display_name: `${given} ${family}`,
      email:
        kind === 'service' || random.chance(0.05)
          ? null
          : `${address(given)}.${address(family)}.${number}@demo.example`,
      phone: random.chance(0.6)
        ? `+41 44 555 ${String(random.between(0, 9999)).padStart(4, '0').replace(/..$/, ' $&')}`
        : null,
      personnel_number: isStaff ? number : null,
      company: isStaff ? null : kind === 'visitor' && random.chance(0.4) ? null : random.pick(companies),
      department,
      manager_id: manager === undefined ? null : world.id('individuals', manager),
      location_id: kind === 'tenant' ? world.id('locations', home.campus.location) : null,
      building_id: isStaff ? world.id('buildings', home.index) : null,
      status,
      ...windowOf(world, kind, status, random.next()),
    }
  }
}

const address = (name: string): string => fold(name).replace(/[^a-z]/g, '')

/** Somebody with a smaller number: so there is no circle. */
function managerOf(world: World, estate: Estate, index: number): number | undefined {
  const manager = Math.floor(index / 12)
  const { kind, status } = personOf(world, estate, manager)
  return kind === 'employee' && status === 'active' ? manager : undefined
}

function windowOf(
  world: World,
  kind: Kind,
  status: Status,
  chance: number,
): { valid_from: string | null; valid_until: string | null } {
  if (status === 'offboarded') return { valid_from: null, valid_until: world.at(-10 - Math.floor(chance * 200)) }
  if (kind === 'visitor') {
    const start = Math.floor(chance * 40) - 30
    return { valid_from: world.at(start), valid_until: world.at(start + 14) }
  }
  if (kind === 'contractor') return { valid_from: world.at(-120), valid_until: world.at(Math.floor(chance * 400) - 30) }
  return { valid_from: null, valid_until: null }
}

type Reason =
  | 'none'
  | 'not_collected'
  | 'forgotten'
  | 'lost'
  | 'stolen'
  | 'damaged'
  | 'returned'
  | 'revoked'
  | 'inactivity'
  | 'locked_out'

const reasons: ReadonlyArray<readonly [Reason, number]> = [
  ['none', 180],
  ['not_collected', 3],
  ['forgotten', 2],
  ['inactivity', 2],
  ['locked_out', 1],
  ['damaged', 1],
]

/** What is live of a credential: used never, or so often and last at some time. */
function usesOf(often: number, last_used_at: string | null, limited: { used: number; of: number } | undefined) {
  const use_count = limited?.used ?? often
  if (use_count === 0 || last_used_at === null) return undefined
  return { use_count, last_used_at, is_used_up: limited !== undefined && limited.used >= limited.of }
}

/** What a credential may say of itself. */
interface Said {
  access_control_system_id: string | null
  label: string | null
  number: string | null
  facility_code: string | null
  format: string | null
  pin_hash: string | null
  max_uses: number | null
}

const SILENT: Said = {
  access_control_system_id: null,
  label: null,
  number: null,
  facility_code: null,
  format: null,
  pin_hash: null,
  max_uses: null,
}

/** Cards, PINs, mobile keys and the like. `pins` are hashes: making one is slow on purpose, so a few serve all. */
export function* credentialRows(
  world: World,
  estate: Estate,
  people: number,
  pins: readonly string[],
): Generator<object> {
  let index = 0
  for (let who = 0; who < people; who++) {
    const person = personOf(world, estate, who)
    const random = world.random('credentials', who)
    const left = person.status === 'offboarded'
    const make = (
      type: string,
      { uses, ...more }: Partial<Said> & { uses?: { used: number; of: number } },
      reason: Reason = left ? random.pick(['returned', 'revoked'] as const) : random.weighted(reasons),
    ) => {
      const said = { ...SILENT, ...more }
      const row = {
        ...world.base('credentials', index),
        individual_id: world.id('individuals', who),
        type,
        ...said,
        match_key: matchKeyOf({ type, ...said }),
        valid_from: null,
        valid_until:
          person.kind === 'visitor'
            ? world.at(random.between(-5, 10))
            : random.chance(0.1)
              ? world.at(random.between(-60, 500))
              : null,
        status_reason: reason,
        live: usesOf(random.between(0, 900), random.chance(0.8) ? world.at(-random.between(1, 600) / 24) : null, uses),
      }
      index += 1
      return row
    }
    const card = () => ({
      label: person.kind === 'visitor' ? `Visitor badge ${(who % 60) + 1}` : `Card ${person.home.campus.city}`,
      number: String(4_000_000 + index),
      facility_code: String(100 + person.home.campus.index),
      format: 'desfire-ev3',
      // The organization's own card is known to every system, an older one to that of its campus.
      access_control_system_id: who % 5 === 0 ? world.id('access_control_systems', systemOf(person.home)) : null,
      pin_hash: random.chance(0.05) ? random.pick(pins) : null,
    })
    if (!left && random.chance(0.03)) yield make('card', card(), random.chance(0.85) ? 'lost' : 'stolen')
    if (random.chance(0.94)) yield make('card', card())
    if (person.kind === 'visitor') {
      if (random.chance(0.5))
        yield make('qr', { number: `Q${900_000 + index}`, max_uses: 10, uses: { used: random.between(0, 10), of: 10 } })
      continue
    }
    if (random.chance(0.35))
      yield make('mobile', { label: random.pick(['iPhone', 'Android phone', 'Watch']), number: `M${700_000 + index}` })
    if (random.chance(0.12)) yield make('pin', { label: 'Door PIN', pin_hash: random.pick(pins) })
    if (random.chance(0.06))
      yield make('transponder', { label: 'Blue transponder', number: `T${300_000 + index}`, format: 'g2' })
    if (random.chance(0.05)) yield make('plate', { number: `ZH ${100_000 + index}` })
  }
}

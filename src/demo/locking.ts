import { inTurn } from '../core/typed.ts'
import { doorsOf } from './doors.ts'
import type { Building, Campus, Estate } from './estate.ts'
import { personOf } from './people.ts'
import type { Random } from './random.ts'
import { roomOf } from './room.ts'
import type { World } from './world.ts'

/**
 * A large organization has many doors, but its plans are kept by hand: so many systems, and so many cylinders in each.
 */
const MAX_SYSTEMS = 40
const MAX_CYLINDERS = 400

const products = [
  { manufacturer: 'dormakaba', product: 'Kaba star', kind: 'mechanical', hierarchy: 'general_master' },
  { manufacturer: 'EVVA', product: '4KS', kind: 'mechanical', hierarchy: 'master' },
  { manufacturer: 'KESO', product: '8000 Omega²', kind: 'mixed', hierarchy: 'combined' },
  { manufacturer: 'BKS', product: 'Livius', kind: 'mechanical', hierarchy: 'general_master' },
  { manufacturer: 'SimonsVoss', product: 'System 3060', kind: 'electronic', hierarchy: 'central' },
  { manufacturer: 'CES', product: 'OMEGA FLEX', kind: 'mechatronic', hierarchy: 'master' },
] as const

/** One locking system with everything in it, so that memory holds one at a time. */
export interface LockingPlan {
  locking_systems: object[]
  cylinders: object[]
  key_types: object[]
  plan_cells: object[]
  keys: object[]
  key_handovers: object[]
}

export function* lockingPlans(world: World, estate: Estate, people: number): Generator<LockingPlan> {
  const counters = { cylinders: 0, key_types: 0, keys: 0, key_handovers: 0 }
  const holders = holdersOf(world, estate, people)
  const campuses = estate.campuses.slice(0, MAX_SYSTEMS)
  for (const campus of campuses) yield planOf(world, estate, campus, holders, counters)
  const locations = { location_id: world.id('locations', campuses[0]?.location ?? 0), building_id: null }
  yield {
    ...nothing,
    locking_systems: [
      retiredSystem(world, campuses.length, locations),
      plannedSystem(world, campuses.length + 1, locations),
    ],
  }
}

const nothing = { cylinders: [], key_types: [], plan_cells: [], keys: [], key_handovers: [] }

/** Who may hold keys: people who are here. */
function holdersOf(world: World, estate: Estate, people: number): number[] {
  const holders: number[] = []
  for (let who = 0; who < people && holders.length < 5000; who++) {
    const { kind, status } = personOf(world, estate, who)
    if (status === 'active' && kind !== 'visitor' && kind !== 'service') holders.push(who)
  }
  return holders.length > 0 ? holders : [0]
}

interface Counters {
  cylinders: number
  key_types: number
  keys: number
  key_handovers: number
}

function planOf(
  world: World,
  estate: Estate,
  campus: Campus,
  holders: readonly number[],
  counters: Counters,
): LockingPlan {
  const random = world.random('locking_systems', campus.index)
  const systemId = world.id('locking_systems', campus.index)
  const product = inTurn(products, campus.index)
  const plan: LockingPlan = {
    locking_systems: [],
    cylinders: [],
    key_types: [],
    plan_cells: [],
    keys: [],
    key_handovers: [],
  }
  plan.locking_systems.push({
    ...world.base('locking_systems', campus.index, `ls-${campus.index + 1}`),
    name: `${campus.city} ${campus.name}`,
    number: `${product.manufacturer.slice(0, 2).toUpperCase()} ${random.between(10_000, 99_999)}`,
    ...product,
    status: 'active',
    location_id: world.id('locations', campus.location),
    building_id: null,
    security_card_number: `SC-${random.between(10_000, 99_999)}`,
    security_card_expires_on: world.on(campus.index % 4 === 1 ? random.between(10, 85) : random.between(200, 3000)),
    installed_on: world.on(-random.between(800, 6000)),
    description: null,
  })

  const type = (code: string, name: string, parent: string | null): string => {
    const row = {
      ...world.base('key_types', counters.key_types++),
      locking_system_id: systemId,
      code,
      name,
      parent_id: parent,
    }
    plan.key_types.push(row)
    return row.id
  }
  const opens = (typeId: string, cylinderId: string) =>
    plan.plan_cells.push({ key_type_id: typeId, cylinder_id: cylinderId })
  const copies = (typeId: string, count: number) => {
    for (let number = 1; number <= count; number++)
      addKey(world, plan, typeId, number, random.pick(holders), random, counters)
  }

  const general = type('GHS', 'General master key', null)
  copies(general, 4)
  for (const [nth, building] of estate.buildings.filter((one) => one.campus === campus).entries()) {
    if (plan.cylinders.length >= MAX_CYLINDERS) break
    const master = type(`HS${nth + 1}`, `Master key ${building.code}`, general)
    copies(master, 5)
    let floor: number | undefined
    let group = master
    for (const door of mechanicalDoors(world, building)) {
      if (plan.cylinders.length >= MAX_CYLINDERS) break
      if (door.floor !== floor) {
        floor = door.floor
        group = type(`G${nth + 1}.${floor - building.lowestFloor + 1}`, `${building.code}, floor ${floor}`, master)
        copies(group, 6)
      }
      const cylinder = cylinderRow(world, systemId, door, plan.cylinders.length + 101, random, counters)
      plan.cylinders.push(cylinder)
      for (const typeId of [general, master, group]) opens(typeId, cylinder.id)
      if (random.chance(0.6)) {
        const single = type(String(plan.cylinders.length + 1000), door.label, group)
        opens(single, cylinder.id)
        copies(single, random.between(1, 3))
      }
    }
  }
  return plan
}

interface MechanicalDoor {
  id: string
  label: string
  floor: number
}

function* mechanicalDoors(world: World, building: Building): Generator<MechanicalDoor> {
  for (let nth = 0; nth < building.count; nth++) {
    const room = roomOf(world, building, nth)
    for (const { id, label, isElectronic } of doorsOf(world, room))
      if (!isElectronic) yield { id, label, floor: room.floor }
  }
}

function cylinderRow(
  world: World,
  systemId: string,
  door: MechanicalDoor,
  number: number,
  random: Random,
  counters: Counters,
) {
  const status = random.weighted([
    ['installed', 92],
    ['in_stock', 5],
    ['ordered', 1],
    ['defective', 1],
    ['retired', 1],
  ] as const)
  const isIn = status === 'installed' || status === 'defective'
  return {
    ...world.base('cylinders', counters.cylinders++),
    locking_system_id: systemId,
    number: String(number),
    label: door.label,
    type: random.weighted([
      ['double', 70],
      ['knob', 15],
      ['half', 10],
      ['padlock', 3],
      ['furniture', 2],
    ] as const),
    outside_mm: random.pick([27.5, 30, 32.5, 35, 40]),
    inside_mm: random.pick([27.5, 30, 32.5, 35, 45]),
    access_point_id: isIn ? door.id : null,
    installed_at: isIn ? world.atWork(random.between(100, 2000)) : null,
    status,
  }
}

type KeyState = 'in_stock' | 'issued' | 'ordered' | 'lost' | 'stolen' | 'defective' | 'written_off' | 'destroyed'

const keyStates: ReadonlyArray<readonly [KeyState, number]> = [
  ['in_stock', 47],
  ['issued', 44],
  ['ordered', 2],
  ['lost', 3],
  ['stolen', 0.5],
  ['defective', 1],
  ['written_off', 1.5],
  ['destroyed', 1],
]

const notes: Partial<Record<KeyState, string>> = {
  lost: 'Lost on the way home',
  stolen: 'Bag stolen on the train, reported to the police',
  defective: 'Bent',
  written_off: 'Not found after three months',
}

function addKey(
  world: World,
  plan: LockingPlan,
  typeId: string,
  number: number,
  holder: number,
  random: Random,
  counters: Counters,
): void {
  const status = random.weighted(keyStates)
  const since = random.between(2, 400)
  const isIssued = status === 'issued'
  // Most keys are held without an end; of those with one, some are overdue.
  const due = isIssued && random.chance(0.35) ? world.on(random.between(-40, 200)) : null
  const individualId = world.id('individuals', holder)
  const key = {
    ...world.base('keys', counters.keys++),
    key_type_id: typeId,
    number: String(number),
    status,
    individual_id: isIssued ? individualId : null,
    storage: status === 'in_stock' ? `Key safe ${random.between(1, 4)}, hook ${random.between(1, 120)}` : null,
    due_back_on: due,
    status_since: world.atWork(since),
    status_note: notes[status] ?? null,
  }
  plan.keys.push(key)
  const outcome = outcomeOf(status, random)
  if (outcome === undefined) return
  const end = outcome === 'held' ? null : world.atWork(since)
  const entry = world.base('key_handovers', counters.key_handovers++)
  plan.key_handovers.push({
    ...entry,
    receipt_id: entry.id,
    key_id: key.id,
    individual_id: individualId,
    issued_at: world.atWork(outcome === 'held' ? since : since + random.between(5, 300)),
    due_back_on: due,
    returned_at: outcome === 'returned' ? end : null,
    purpose: random.chance(0.5)
      ? random.pick(['Office', 'Renovation', 'Laboratory supervision', 'Event', 'Technical service'])
      : null,
    deposit_amount: random.chance(0.3) ? random.pick([20, 50, 100]) : null,
    condition: random.pick(['new', 'good', 'used', null]),
    issued_by: random.pick(['Reception', 'Facility management', 'Key office']),
    outcome,
    ended_at: end,
    return_condition: outcome === 'returned' ? random.pick(['good', 'scratched', null]) : null,
    received_by: outcome === 'returned' ? 'Key office' : null,
  })
}

/** How the last handover of a key stands, if there was one. */
function outcomeOf(
  status: KeyState,
  random: Random,
): 'held' | 'returned' | 'lost' | 'stolen' | 'defective' | undefined {
  switch (status) {
    case 'issued':
      return 'held'
    case 'lost':
    case 'stolen':
    case 'defective':
      return status
    case 'written_off':
      return 'lost'
    case 'in_stock':
      return random.chance(0.4) ? 'returned' : undefined
    default:
      return undefined
  }
}

const emptySystem = { security_card_number: null, security_card_expires_on: null, installed_on: null, number: null }

const retiredSystem = (world: World, index: number, place: object): object => ({
  ...world.base('locking_systems', index),
  name: 'Old padlocks',
  manufacturer: 'ABUS',
  product: 'Granit',
  kind: 'mechanical',
  hierarchy: 'single',
  status: 'retired',
  ...place,
  ...emptySystem,
  description: 'Replaced; the keys were collected.',
})

const plannedSystem = (world: World, index: number, place: object): object => ({
  ...world.base('locking_systems', index),
  name: 'New laboratory building',
  manufacturer: 'EVVA',
  product: 'Xesar',
  kind: 'electronic',
  hierarchy: 'master',
  status: 'planned',
  ...place,
  ...emptySystem,
  description: null,
})

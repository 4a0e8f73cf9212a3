import type { Building, Estate } from './estate.ts'
import { departments } from './geography.ts'
import { personOf } from './people.ts'
import { entranceOf, serverRoomOf } from './room.ts'
import { CLEANING_HOURS, NIGHT, OFFICE_HOURS, WEEKENDS } from './schedules.ts'
import { type Grant, isForTwo, storyGrants, type Target, type Terms } from './stories.ts'
import { POINTS_PER_SPACE, type World } from './world.ts'

/** Groups of the whole organization; then one per department, then one per building. */
const general = [
  ['All staff', 'Entrances of every building'],
  ['Security', 'Guards on duty: everywhere'],
  ['Fire brigade', 'Everywhere, for emergencies'],
  ['Facility management', 'Caretakers and technicians'],
  ['IT operations', 'Server rooms'],
  ['Cleaning', 'External cleaning staff'],
  ['Visitors', 'Escorted guests'],
  ['Night shift', 'Every building, at night'],
] as const

const ALL_STAFF = 0
const SECURITY = 1
const FIRE_BRIGADE = 2
const FACILITY = 3
const IT = 4
const CLEANING = 5
const VISITORS = 6
const NIGHT_SHIFT = 7
const byName: readonly string[] = departments
const ofDepartment = (department: string): number => general.length + byName.indexOf(department)
const ofBuilding = (building: Building): number => general.length + departments.length + building.index

const fullName = ({ name, code, parent, campus }: Building): string =>
  `${code} ${parent ? `${parent.name}, ${name}` : name} (${campus.city} ${campus.name})`

export function* groupRows(world: World, estate: Estate): Generator<object> {
  const row = (index: number, name: string, description: string, building?: Building) => ({
    ...world.base('access_groups', index),
    name,
    description,
    location_id: null,
    building_id: building ? world.id('buildings', building.index) : null,
  })
  for (const [index, [name, description]] of general.entries()) yield row(index, name, description)
  for (const department of departments)
    yield row(ofDepartment(department), `${department} department`, `Rooms and laboratories of ${department}`)
  for (const building of estate.buildings)
    yield row(ofBuilding(building), fullName(building), 'Those who work in the building', building)
}

export function* memberRows(world: World, estate: Estate, people: number): Generator<object> {
  let index = 0
  for (let who = 0; who < people; who++) {
    for (const [group, from, until] of groupsOf(world, estate, who)) {
      yield {
        ...world.base('access_group_members', index++),
        access_group_id: world.id('access_groups', group),
        individual_id: world.id('individuals', who),
        valid_from: from,
        valid_until: until,
      }
    }
  }
}

type Membership = readonly [group: number, from: string | null, until: string | null]

function groupsOf(world: World, estate: Estate, who: number): Membership[] {
  const { kind, status, department, home } = personOf(world, estate, who)
  const random = world.random('access_group_members', who)
  if (status === 'offboarded') return []
  const groups: Membership[] = []
  const join = (group: number, from: string | null = null, until: string | null = null) =>
    groups.push([group, from, until])
  if (kind === 'employee') {
    join(ALL_STAFF)
    // Whoever looks after the servers is let into them by that, not as one of the building.
    if (department !== 'IT services') join(ofBuilding(home))
    if (department) join(ofDepartment(department))
    if (random.chance(0.01)) join(SECURITY)
    if (random.chance(0.01)) join(FIRE_BRIGADE)
    if (department === 'Facility management' || random.chance(0.01)) join(FACILITY)
    if (department === 'IT services') join(IT)
    if (who % 40 === 7) join(NIGHT_SHIFT)
    if (random.chance(0.05)) {
      // A project in another building, over, running or to come.
      const other = random.pick(estate.buildings)
      const start = random.between(-200, 30)
      if (other !== home) join(ofBuilding(other), world.at(start), world.at(start + random.between(30, 180)))
    }
  } else if (kind === 'contractor') {
    if (random.chance(0.6)) join(CLEANING)
    else join(ofBuilding(home))
  } else if (kind === 'tenant') join(ofBuilding(home))
  else if (kind === 'visitor') join(VISITORS)
  return groups
}

const nowhere: Target = { access_point_id: null, space_id: null, building_id: null, location_id: null }

const always: Terms = {
  valid_from: null,
  valid_until: null,
  schedule_id: null,
  effect: 'allow',
  requires_pin: false,
  requires_second_person: false,
  during_lockdown: false,
  reason: null,
  revoked_at: null,
}

export function* grantRows(world: World, estate: Estate, people: number): Generator<object> {
  let index = 0
  const grant = (
    subject: { group: number } | { person: number },
    target: Partial<Target>,
    terms: Partial<Terms> = {},
  ) => ({
    ...world.base('access_grants', index++),
    individual_id: 'person' in subject ? world.id('individuals', subject.person) : null,
    access_group_id: 'group' in subject ? world.id('access_groups', subject.group) : null,
    ...nowhere,
    ...target,
    ...always,
    ...terms,
  })
  for (const country of estate.countries) {
    const target = { location_id: world.id('locations', country) }
    yield grant({ group: SECURITY }, target, { during_lockdown: true, reason: 'Guarding contract' })
    yield grant({ group: FIRE_BRIGADE }, target, { during_lockdown: true, reason: 'Fire protection concept' })
  }
  const during = (schedule: number) => ({ schedule_id: world.id('schedules', schedule) })
  for (const campus of estate.campuses) {
    const target = { location_id: world.id('locations', campus.location) }
    yield grant({ group: FACILITY }, target)
    yield grant({ group: NIGHT_SHIFT }, target, { ...during(NIGHT), reason: 'Rounds at night' })
    yield grant({ group: VISITORS }, target, { ...during(NIGHT), effect: 'deny', reason: 'No visitors at night' })
  }
  for (const building of estate.buildings) {
    const space = (nth: number) => ({ space_id: world.id('spaces', building.first + nth) })
    const isCleaned = building.index % 3 === 0
    const whole = { building_id: world.id('buildings', building.index) }
    const hasHours = building.index % 2 === 0
    yield grant({ group: ofBuilding(building) }, whole, hasHours ? during(OFFICE_HOURS) : {})
    if (building.index % 4 === 0)
      yield grant({ group: ofBuilding(building) }, whole, { ...during(WEEKENDS), requires_pin: true })
    const hall = entranceOf(building)
    if (hall !== undefined) {
      yield grant({ group: ALL_STAFF }, space(hall))
      yield grant({ group: VISITORS }, space(hall), { requires_second_person: true, reason: 'With an escort' })
    }
    const servers = serverRoomOf(building)
    if (servers !== undefined) {
      yield grant({ group: IT }, space(servers), { requires_pin: true, requires_second_person: isForTwo(building) })
      if (isForTwo(building)) {
        const deny = { effect: 'deny', reason: 'Two persons of IT only' } as const
        yield grant({ group: ofBuilding(building) }, space(servers), deny)
        yield grant({ group: FACILITY }, space(servers), deny)
      }
      if (isCleaned)
        yield grant({ group: CLEANING }, space(servers), { effect: 'deny', reason: 'No cleaning in server rooms' })
    }
    if (isCleaned) {
      yield grant({ group: CLEANING }, whole, {
        ...during(CLEANING_HOURS),
        valid_until: world.at(300),
        reason: 'Cleaning contract',
      })
    }
  }
  yield* storyGrants(world, estate, people, grant)
  for (const department of departments) yield* departmentGrants(world, estate, department, grant)
  for (let who = 0; who < people; who++) yield* personalGrants(world, estate, who, grant)
}

function* departmentGrants(world: World, estate: Estate, department: string, grant: Grant): Generator<object> {
  const random = world.random('access_grants', ofDepartment(department))
  for (let i = 0; i < 6; i++) {
    const building = random.pick(estate.buildings)
    const nth = random.between(0, building.count - 1)
    if (nth === serverRoomOf(building)) continue
    const space = building.first + nth
    yield grant(
      { group: ofDepartment(department) },
      { space_id: world.id('spaces', space) },
      { requires_pin: random.chance(0.1) },
    )
  }
}

const reasons = [
  'Project',
  'Supervision of students',
  'Maintenance',
  'Deputy of the laboratory manager',
  'Move to a new office',
]

/** Every other person has a right or two of their own. */
function* personalGrants(world: World, estate: Estate, who: number, grant: Grant): Generator<object> {
  const { home, status } = personOf(world, estate, who)
  const random = world.random('access_grants', 1000 + who)
  const count = random.weighted([
    [0, 55],
    [1, 35],
    [2, 10],
  ] as const)
  for (let i = 0; i < count; i++) {
    const other = random.chance(0.7) ? home : random.pick(estate.buildings)
    const space = other.first + random.between(0, other.count - 1)
    const target = random.chance(0.6)
      ? { space_id: world.id('spaces', space) }
      : { access_point_id: world.id('access_points', space * POINTS_PER_SPACE) }
    const window = random.weighted([
      ['open', 70],
      ['running', 12],
      ['expired', 11],
      ['scheduled', 7],
    ] as const)
    const windows = {
      open: {},
      running: { valid_from: world.at(-random.between(5, 200)), valid_until: world.at(random.between(5, 300)) },
      expired: { valid_from: world.at(-random.between(200, 400)), valid_until: world.at(-random.between(1, 150)) },
      scheduled: { valid_from: world.at(random.between(1, 60)), valid_until: world.at(random.between(90, 300)) },
    }
    yield grant({ person: who }, target, {
      ...windows[window],
      effect: random.chance(0.06) ? 'deny' : 'allow',
      requires_pin: random.chance(0.05),
      reason: random.chance(0.6) ? random.pick(reasons) : null,
      revoked_at: status === 'offboarded' || random.chance(0.04) ? world.atWork(random.between(1, 90)) : null,
    })
  }
}

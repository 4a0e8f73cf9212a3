import { randomUUIDv7 } from 'node:crypto'
import { join } from 'node:path'
import { commandLine } from '../src/cli/database.ts'
import { matchKeyOf } from '../src/core/cards/match-key.ts'
import { change } from '../src/db/change.ts'
import type { Engine } from '../src/db/engine.ts'
import { openSqlite } from '../src/db/sqlite/sqlite.ts'
import { Bulk } from '../src/demo/bulk.ts'
import { liveState } from '../src/demo/doors.ts'
import { findOrganization } from '../src/identity/organizations.ts'
import { gatehouse } from '../test/support/processes.ts'

export const ORGANIZATION = 'Crowd'
const BUILDINGS = 10
const GROUPS = 200
const NOON = '2026-01-05T12:00:00.000Z'

/**
 * An organization with many people, doors and grants; a tenth of the doors in one building, a tenth of the people in
 * one group.
 */
export interface Crowd {
  people: number
  doors: number
  grants: number
  env: Record<string, string>
  token: string
  individuals: readonly string[]
  accessPoints: readonly string[]
  cards: readonly string[]
  /** The door that most people open, and somebody who opens every door. */
  busiestDoor: string
  guard: string
  /** For a dry run: the group and the building. */
  group: string
  building: string
}

const row = () => ({ id: randomUUIDv7(), external_id: null, created_at: NOON, updated_at: NOON, version: 1 })
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

export async function makeCrowd(folder: string, people: number): Promise<Crowd> {
  const sizes = { people, doors: people / 5, grants: people / 2 }
  const env = { DATA_DIR: join(folder, `${people}-people`), METRICS: 'on' }
  process.stderr.write(`filling ${people} people, ${sizes.doors} doors, ${sizes.grants} grants on SQLite…\n`)
  await gatehouse(['organization', 'create', ORGANIZATION], env)
  const token = await gatehouse(['token', 'create', '--organization', ORGANIZATION, '--role', 'Owner'], env)
  const engine = openSqlite(join(env.DATA_DIR, 'gatehouse.db'))
  try {
    return { ...sizes, env, token, ...(await fill(engine, sizes)) }
  } finally {
    await engine.close()
  }
}

type Sizes = Pick<Crowd, 'people' | 'doors' | 'grants'>

async function fill(engine: Engine, sizes: Sizes) {
  const organization = await findOrganization(engine, ORGANIZATION)
  if (!organization) throw new Error(`there is no organization ${ORGANIZATION}`)
  return change(engine, organization.key, NOON, commandLine, async (tx) => {
    const bulk = new Bulk(tx, () => undefined)
    const places = await fillPlaces(bulk, sizes.doors)
    const { individuals, cards, groups } = await fillPeople(bulk, sizes.people, places.system)
    const count = await fillGrants(bulk, sizes.grants, { ...places, individuals, groups })
    tx.record({
      action: 'demo.filled',
      resource: 'organizations',
      resourceId: null,
      before: null,
      after: { ...sizes, count },
    })
    const [busiestDoor = ''] = places.accessPoints
    const [guard = ''] = individuals
    return {
      individuals,
      accessPoints: places.accessPoints,
      cards,
      busiestDoor,
      guard,
      group: groups[2] as string,
      building: places.buildings[1] as string,
    }
  })
}

async function fillPlaces(bulk: Bulk, doors: number) {
  const location = { ...row(), parent_id: null, name: 'Zürich', slug: 'zh', address: null, time_zone: 'Europe/Zurich' }
  await bulk.addAll('locations', [location])
  const houses = times(BUILDINGS, (index) => ({
    ...row(),
    location_id: location.id,
    parent_id: null,
    name: `House ${index}`,
    slug: `h${index}`,
  }))
  await bulk.addAll('buildings', houses)
  const system = {
    ...row(),
    name: 'Doors',
    kind: 'simulated',
    location_id: location.id,
    status: 'connected',
    errors: [],
    warnings: [],
    settings: {},
    secrets: {},
  }
  await bulk.addAll('access_control_systems', [system])
  const rooms = times(doors, (index) => ({
    ...row(),
    building_id: houses[index % BUILDINGS]?.id,
    name: `Room ${index}`,
    slug: `r-${index}`,
    description: '',
  }))
  await bulk.addAll('spaces', rooms)
  const live = liveState(NOON, { lock_state: 'locked', position: 'closed', connectivity: 'online' })
  const points = rooms.map((room, index) => ({
    ...row(),
    space_id: room.id,
    name: `Door ${index}`,
    description: '',
    label: `D-${index}`,
    kind: 'door',
    access_control_system_id: system.id,
    emergency_exit: false,
    live,
  }))
  await bulk.addAll('access_points', points)
  return {
    location: location.id,
    buildings: houses.map(({ id }) => id),
    spaces: rooms.map(({ id }) => id),
    accessPoints: points.map(({ id }) => id),
    system: system.id,
  }
}

async function fillPeople(bulk: Bulk, count: number, system: string) {
  const people = times(count, (index) => ({
    ...row(),
    kind: 'employee',
    given_name: 'Ada',
    family_name: `Nr. ${index}`,
    display_name: `Ada Nr. ${index}`,
    status: 'active',
  }))
  await bulk.addAll('individuals', people)
  const cards = people.map(({ id }, index) => ({
    ...row(),
    individual_id: id,
    access_control_system_id: system,
    type: 'card',
    number: String(4_000_000 + index),
    match_key: matchKeyOf({ type: 'card', facility_code: null, number: String(4_000_000 + index), format: null }),
    status_reason: 'none',
  }))
  await bulk.addAll('credentials', cards)
  const groups = times(GROUPS, (index) => ({ ...row(), name: `Group ${index}`, description: null }))
  await bulk.addAll('access_groups', groups)
  const member = (group: number, who: number) => ({
    ...row(),
    access_group_id: groups[group]?.id,
    individual_id: people[who]?.id,
    valid_from: null,
    valid_until: null,
  })
  // The first group is half of all, the second the guards, the third a tenth; everybody is in one of the others.
  const halves = times(count / 2, (index) => member(0, index * 2))
  const tenths = times(count / 10, (index) => member(2, index * 10 + 5))
  const others = people.map((_, index) => member(3 + (index % (GROUPS - 3)), index))
  await bulk.addAll('access_group_members', [...halves, member(1, 0), ...tenths, ...others])
  return {
    individuals: people.map(({ id }) => id),
    cards: cards.map(({ number }) => number),
    groups: groups.map(({ id }) => id),
  }
}

interface Filled {
  location: string
  buildings: readonly string[]
  spaces: readonly string[]
  accessPoints: readonly string[]
  individuals: readonly string[]
  groups: readonly string[]
}

/** Half of all grants are people's own at single doors; the others are groups' at rooms, a deny among ten. */
async function fillGrants(bulk: Bulk, count: number, at: Filled): Promise<number> {
  const nowhere = {
    individual_id: null,
    access_group_id: null,
    access_point_id: null,
    space_id: null,
    building_id: null,
    location_id: null,
  }
  const terms = {
    valid_from: null,
    valid_until: null,
    effect: 'allow',
    requires_pin: false,
    requires_second_person: false,
  }
  const grant = (more: object) => ({ ...row(), ...nowhere, ...terms, ...more })
  const group = (index: number) => at.groups[index] ?? null
  const wide = [
    grant({ access_group_id: group(0), space_id: at.spaces[0] }),
    grant({ access_group_id: group(1), location_id: at.location }),
    ...times(GROUPS - 3, (index) =>
      grant({ access_group_id: group(index + 3), building_id: at.buildings[index % BUILDINGS] }),
    ),
  ]
  const own = times(count / 2, (index) =>
    grant({
      individual_id: at.individuals[(index * 7) % at.individuals.length],
      access_point_id: at.accessPoints[(index * 3) % at.accessPoints.length],
    }),
  )
  const rooms = times(count - own.length - wide.length, (index) =>
    grant({
      access_group_id: group(3 + (index % (GROUPS - 3))),
      space_id: at.spaces[(index * 11) % at.spaces.length],
      effect: index % 10 === 9 ? 'deny' : 'allow',
    }),
  )
  await bulk.addAll('access_grants', [...wide, ...own, ...rooms])
  return wide.length + own.length + rooms.length
}

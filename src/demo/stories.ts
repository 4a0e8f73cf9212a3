import type { Building, Estate } from './estate.ts'
import { type Person, personOf } from './people.ts'
import { roomOf, serverRoomOf } from './room.ts'
import { NIGHT, OFFICE_HOURS } from './schedules.ts'
import { isWatched, LABORATORY_LIMIT } from './spaces.ts'
import type { World } from './world.ts'

/** What a grant is on: one of them. */
export interface Target {
  access_point_id: string | null
  space_id: string | null
  building_id: string | null
  location_id: string | null
}

export interface Terms {
  valid_from: string | null
  valid_until: string | null
  schedule_id: string | null
  effect: 'allow' | 'deny'
  requires_pin: boolean
  requires_second_person: boolean
  during_lockdown: boolean
  reason: string | null
  revoked_at: string | null
}

/** Makes the row of a grant. */
export type Grant = (
  subject: { group: number } | { person: number },
  target: Partial<Target>,
  terms?: Partial<Terms>,
) => object

/** Two persons or nobody. */
export const isForTwo = (building: Building): boolean => building.index % 5 === 0

/** People around one server room, so that each of them is let in or kept out for another reason. */
export function* storyGrants(world: World, estate: Estate, people: number, grant: Grant): Generator<object> {
  const building = estate.buildings.find((one) => isForTwo(one) && serverRoomOf(one) !== undefined)
  const room = building && serverRoomOf(building)
  if (!building || room === undefined) return
  const servers = { space_id: world.id('spaces', building.first + room) }
  const isElsewhere = ({ kind, status, home, department }: Person) =>
    kind === 'employee' &&
    status === 'active' &&
    home !== building &&
    home.campus === building.campus &&
    department !== 'IT services'
  const [gone, kept, byDay, ...onCall] = found(world, estate, people, 7, isElsewhere)
  const during = (schedule: number) => ({ schedule_id: world.id('schedules', schedule) })
  if (byDay) yield grant({ person: byDay.index }, servers, { ...during(OFFICE_HOURS), reason: 'Audit of the backups' })
  for (const { index } of onCall) {
    yield grant({ person: index }, servers, { ...during(NIGHT), requires_second_person: true, reason: 'On call' })
  }
  if (gone)
    yield grant({ person: gone.index }, servers, { reason: 'Migration of the storage', revoked_at: world.atWork(7) })
  if (kept) {
    yield grant(
      { person: kept.index },
      { building_id: world.id('buildings', building.index) },
      { reason: 'Works on two sites' },
    )
    yield grant({ person: kept.index }, servers, { effect: 'deny', reason: 'Moved to another department' })
  }
  // Not all of them are here in the weeks around today.
  for (const visitor of found(
    world,
    estate,
    people,
    VISITORS,
    ({ kind, status }) => kind === 'visitor' && status === 'active',
  )) {
    const window = { valid_from: world.at(-10), valid_until: world.at(20) }
    yield grant({ person: visitor.index }, servers, {
      ...window,
      requires_second_person: true,
      reason: 'Maintenance of the cooling',
    })
  }
}

const VISITORS = 10

/** Who is in the first watched laboratory: as many as may be. */
export function occupantsOf(
  world: World,
  estate: Estate,
  people: number,
): { space: number; people: number[] } | undefined {
  for (const building of estate.buildings) {
    for (let nth = 0; nth < building.count; nth++) {
      if (!isWatched(roomOf(world, building, nth))) continue
      const inside = found(
        world,
        estate,
        people,
        LABORATORY_LIMIT,
        ({ kind, status, home }) => kind === 'employee' && status === 'active' && home === building,
      )
      return { space: building.first + nth, people: inside.map(({ index }) => index) }
    }
  }
  return undefined
}

function found(
  world: World,
  estate: Estate,
  people: number,
  wanted: number,
  fits: (person: Person) => boolean,
): Person[] {
  const list: Person[] = []
  for (let who = 0; who < people && list.length < wanted; who++) {
    const person = personOf(world, estate, who)
    if (fits(person)) list.push(person)
  }
  return list
}

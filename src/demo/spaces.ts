import { inTurn } from '../core/typed.ts'
import { type Door, doorsOf } from './doors.ts'
import type { Estate } from './estate.ts'
import { departments } from './geography.ts'
import { nameOf, type Room, roomOf, shortNumber } from './room.ts'
import { serverRoom } from './room-types.ts'
import type { World } from './world.ts'

/** Every space in order, with its access points. */
export function* spaceRows(world: World, estate: Estate): Generator<{ space: object; doors: Door[] }> {
  for (const building of estate.buildings) {
    for (let nth = 0; nth < building.count; nth++) {
      const room = roomOf(world, building, nth)
      yield { space: spaceRow(world, room), doors: doorsOf(world, room) }
    }
  }
}

function spaceRow(world: World, room: Room): object {
  const { building, type, random } = room
  const slug = `${building.code}-${shortNumber(room)}`.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return {
    ...world.base('spaces', room.index),
    building_id: world.id('buildings', building.index),
    name: nameOf(room),
    slug: random.chance(0.05) ? '' : slug,
    area: random.chance(0.1) ? null : `${random.between(...type.area)} m²`,
    department: departmentOf(room),
    floor: room.floor,
    description: '',
    occupancy_limit: isWatched(room) ? LABORATORY_LIMIT : null,
    passback: isWatched(room) ? 'hard' : 'none',
    passback_minutes: null,
  }
}

/** Some laboratories know who is in them, and take few at a time. */
export const isWatched = ({ type, index }: Room): boolean => type.name === 'Laboratory' && index % 5 === 0

/** So many are in a watched laboratory at most. */
export const LABORATORY_LIMIT = 2

/** A building houses few departments. */
function departmentOf({ building, type, random }: Room): string | null {
  if (type === serverRoom) return 'IT services'
  if (!type.isUsed || random.chance(0.1)) return null
  return inTurn(departments, building.index * 5 + random.between(0, 2))
}

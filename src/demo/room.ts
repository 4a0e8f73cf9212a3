import type { Building } from './estate.ts'
import type { Random } from './random.ts'
import { corridor, downstairs, entrance, type RoomType, serverRoom, upstairs } from './room-types.ts'
import type { World } from './world.ts'

export interface Room {
  index: number
  building: Building
  type: RoomType
  floor: number
  /** "E 27.3", "4.112"; empty where a building has one such room only. */
  number: string
  /** Index of the corridor it lies at; undefined for the corridor itself. */
  corridor: number | undefined
  random: Random
}

/** The room with a number within its building: on every floor a corridor first, then the rooms along it. */
export function roomOf(world: World, building: Building, nth: number): Room {
  const index = building.first + nth
  const random = world.random('spaces', index)
  const storey = Math.floor(nth / building.perFloor)
  const along = nth % building.perFloor
  const floor = building.lowestFloor + storey
  const type = typeOf(building, floor, storey, along, random)
  const isOnly = type === entrance || type === serverRoom
  const number = isOnly ? '' : along === 0 ? floorName(building, floor) : numberOf(building, floor, along, random)
  return { index, building, type, floor, number, corridor: along === 0 ? undefined : index - along, random }
}

function typeOf(building: Building, floor: number, storey: number, along: number, random: Random): RoomType {
  if (along === 0) return floor === 0 && building.perFloor < 3 ? entrance : corridor
  if (along === 1 && floor === 0 && building.perFloor >= 3) return entrance
  if (along === 2 && storey === 0) return serverRoom
  return random.weighted(floor < 0 ? downstairs : upstairs)
}

/** Some houses letter their floors (E is the ground floor), some number them. */
const floorName = ({ style }: Building, floor: number): string =>
  style === 0 ? (floor < -4 ? `U${-floor}` : String.fromCharCode(69 + floor)) : floor < 0 ? `U${-floor}` : String(floor)

function numberOf(building: Building, floor: number, along: number, random: Random): string {
  const name = floorName(building, floor)
  if (building.style === 0) return `${name} ${10 + along}${random.chance(0.3) ? `.${random.between(1, 6)}` : ''}`
  return `${name}.${String(100 + along).padStart(3, '0')}`
}

export const nameOf = ({ building, type, number }: Room): string => {
  if (number === '') return type.name
  return building.style === 1 || type === corridor ? `${type.name} ${number}` : `${number} ${type.name}`
}

/** "E 27.3" as it stands in labels and slugs. */
export const shortNumber = ({ number, type }: Room): string =>
  number === '' ? type.name.replaceAll(' ', '') : number.replace(' ', '')

/** The number of the building's entrance hall, if it has one. */
export function entranceOf({ lowestFloor, perFloor, count }: Building): number | undefined {
  const nth = -lowestFloor * perFloor + (perFloor < 3 ? 0 : 1)
  return nth < count ? nth : undefined
}

/** The number of the building's server room, if it has one. */
export const serverRoomOf = ({ perFloor, count }: Building): number | undefined =>
  perFloor > 2 && count > 2 ? 2 : undefined

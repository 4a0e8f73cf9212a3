import { inTurn, sure } from '../core/typed.ts'
import { buildingTypes, campusNames, cities, countries, streets, wings } from './geography.ts'
import type { World } from './world.ts'

export interface Campus {
  index: number
  /** Index of its row in locations. */
  location: number
  city: string
  name: string
  timeZone: string
}

export interface Building {
  index: number
  campus: Campus
  parent: Building | undefined
  code: string
  name: string
  /** Index of its first space, and how many it has. */
  first: number
  count: number
  perFloor: number
  lowestFloor: number
  /** How its rooms are numbered. */
  style: number
}

export interface Estate {
  locations: object[]
  buildingRows: object[]
  /** Indexes of the countries' rows in locations. */
  countries: number[]
  campuses: Campus[]
  buildings: Building[]
}

/** Hundreds of buildings where there are a million spaces. */
const buildingCount = (spaces: number): number => Math.max(1, Math.min(spaces, Math.round(0.7 * Math.sqrt(spaces))))

/** Locations, buildings and which spaces lie in which building: small enough to keep in memory whatever the size. */
export function layOut(world: World): Estate {
  const total = buildingCount(world.spaces)
  const { locations, campuses, countryRows } = layOutLocations(world, Math.max(1, Math.round(total / 4)))
  const buildings = layOutBuildings(world, campuses, total)
  shareSpaces(world, buildings)
  const buildingRows = buildings.map((building) => ({
    ...world.base('buildings', building.index, `building-${building.index + 1}`),
    location_id: world.id('locations', building.campus.location),
    parent_id: building.parent ? world.id('buildings', building.parent.index) : null,
    name: building.name,
    slug: building.code.toLowerCase(),
    address: building.parent ? null : addressOf(world, building),
    time_zone: null,
  }))
  return { locations, buildingRows, countries: countryRows, campuses, buildings }
}

function layOutLocations(
  world: World,
  wanted: number,
): { locations: object[]; campuses: Campus[]; countryRows: number[] } {
  const locations: object[] = []
  const campuses: Campus[] = []
  const known = new Map<string, number>()
  const countryRows: number[] = []
  const add = (parent: number | null, name: string, slug: string, more: object): number => {
    const index = locations.length
    const parentId = parent === null ? null : world.id('locations', parent)
    const empty = { address: null, time_zone: null, latitude: null, longitude: null }
    locations.push({ ...world.base('locations', index), parent_id: parentId, name, slug, ...empty, ...more })
    return index
  }
  for (let round = 0; campuses.length < wanted; round++) {
    for (const city of cities) {
      if (campuses.length === wanted) break
      const name = city.campuses[round] ?? furtherCampus(round - city.campuses.length)
      const country = sure(countries[city.country])
      let countryRow = known.get(city.country)
      if (countryRow === undefined) {
        countryRow = add(null, city.country, country.slug, { time_zone: country.timeZone })
        known.set(city.country, countryRow)
        countryRows.push(countryRow)
      }
      let cityRow = known.get(city.name)
      if (cityRow === undefined) {
        cityRow = add(countryRow, city.name, city.slug, { latitude: city.latitude, longitude: city.longitude })
        known.set(city.name, cityRow)
      }
      const random = world.random('locations', locations.length)
      const address = `${random.pick(streets)} ${random.between(1, 140)}, ${city.name}`
      const slug = `${city.slug}-${campuses.length + 1}`
      const location = add(cityRow, name, slug, {
        address,
        latitude: near(city.latitude, random.next()),
        longitude: near(city.longitude, random.next()),
      })
      campuses.push({ index: campuses.length, location, city: city.name, name, timeZone: country.timeZone })
    }
  }
  return { locations, campuses, countryRows }
}

/** Names of a city's campuses do not repeat: after the last they are numbered. */
const furtherCampus = (index: number): string => {
  const turn = Math.floor(index / campusNames.length)
  return `${campusNames[index % campusNames.length]}${turn === 0 ? '' : ` ${turn + 1}`}`
}

const near = (degrees: number, chance: number): number => Math.round((degrees + (chance - 0.5) / 20) * 10_000) / 10_000

function layOutBuildings(world: World, campuses: readonly Campus[], total: number): Building[] {
  const buildings: Building[] = []
  for (let index = 0; index < total; index++) {
    const campus = inTurn(campuses, index)
    const main = buildings[campus.index]
    const style = world.random('buildings', index).between(0, 2)
    const empty = { index, campus, first: 0, count: 0, perFloor: 1, lowestFloor: 0 }
    const position = Math.floor(index / campuses.length)
    // The main building, a wing of it, two more buildings, the next wing, and so on.
    const wing = position % 3 === 1 ? wings[(position - 1) / 3] : undefined
    if (wing && main)
      buildings.push({ ...empty, parent: main, code: `${main.code}-${wing.code}`, name: wing.name, style: main.style })
    else
      buildings.push({
        ...empty,
        parent: undefined,
        ...typeOf(position - Math.min(wings.length, Math.floor((position + 1) / 3))),
        style,
      })
  }
  return buildings
}

const typeOf = (nth: number): { code: string; name: string } => {
  const type = inTurn(buildingTypes, nth)
  const turn = Math.floor(nth / buildingTypes.length)
  return turn === 0 ? { ...type } : { code: `${type.code}${turn + 1}`, name: `${type.name} ${turn + 1}` }
}

function addressOf(world: World, building: Building): string {
  const random = world.random('buildings', building.index)
  return `${random.pick(streets)} ${random.between(1, 140)}, ${building.campus.city}`
}

/** Large and small buildings; together exactly the spaces asked for, and none without any. */
function shareSpaces(world: World, buildings: readonly Building[]): void {
  const weights = buildings.map((building) => 0.4 + 1.2 * world.random('buildings', building.index + 1_000_000).next())
  const sum = weights.reduce((a, b) => a + b, 0)
  const free = world.spaces - buildings.length
  let first = 0
  let passed = 0
  for (const [index, building] of buildings.entries()) {
    passed += sure(weights[index])
    const end = index === buildings.length - 1 ? world.spaces : index + 1 + Math.floor((free * passed) / sum)
    building.first = first
    building.count = end - first
    first = end
    const floors = Math.max(1, Math.min(14, Math.round(Math.sqrt(building.count / 5))))
    building.perFloor = Math.ceil(building.count / floors)
    building.lowestFloor = floors >= 8 ? -2 : floors >= 3 ? -1 : 0
  }
}

import { fold } from '../core/fold.ts'
import { Kept } from './kept/kept.ts'
import { perEngine } from './kept/per-engine.ts'
import type { OrgHandle } from './org.ts'
import { sql } from './sql.ts'

interface Node {
  id: string
  parent_id: string | null
  name: string
  time_zone: string | null
}
interface BuildingNode extends Node {
  location_id: string
}

export const SEPARATOR = ' / '

/** What a building has of the places that it lies in. */
interface PlaceOfBuilding {
  /** The composite texts: the names of its chain, root first. */
  readonly location: string
  readonly building: string
  readonly folded: string
  readonly location_id: string
  /** The nearest one set on the way up: building, its parents, location, its parents, organization. */
  readonly time_zone: string
}

/**
 * The tree of locations and buildings of an organization, in memory. There are hundreds of them where there are a
 * million spaces, so composite texts, subtrees and time zones are worked out here and never stored: a rename cannot
 * leave one stale.
 */
export class Places {
  readonly locations = new Map<string, Node>()
  readonly buildings = new Map<string, BuildingNode>()
  private readonly locationChildren = new Map<string, string[]>()
  private readonly buildingChildren = new Map<string, string[]>()
  private readonly buildingsAt = new Map<string, string[]>()
  private readonly known = new Map<string, PlaceOfBuilding>()
  readonly organizationZone: string

  constructor(locations: Node[], buildings: BuildingNode[], organizationZone: string) {
    this.organizationZone = organizationZone
    for (const node of locations) {
      this.locations.set(node.id, node)
      if (node.parent_id) push(this.locationChildren, node.parent_id, node.id)
    }
    for (const node of buildings) {
      this.buildings.set(node.id, node)
      push(this.buildingsAt, node.location_id, node.id)
      if (node.parent_id) push(this.buildingChildren, node.parent_id, node.id)
    }
  }

  /** Looked up once for each building: there are hundreds of rows of each. */
  placeOf(buildingId: string): PlaceOfBuilding {
    let place = this.known.get(buildingId)
    if (!place) {
      const locationId = this.buildings.get(buildingId)?.location_id ?? ''
      const buildings = chain(this.buildings, buildingId)
      const locations = chain(this.locations, locationId)
      const building = namesOf(buildings)
      const location = namesOf(locations)
      const zone = [...locations, ...buildings].findLast((node) => node.time_zone !== null)
      place = {
        location,
        building,
        folded: fold(`${location}\n${building}`),
        location_id: locationId,
        time_zone: zone?.time_zone ?? this.organizationZone,
      }
      this.known.set(buildingId, place)
    }
    return place
  }

  /** The building, the buildings and locations above it: where a grant may stand that holds here. */
  above(buildingId: string): { buildings: string[]; locations: string[] } {
    const buildings = chain(this.buildings, buildingId).map((node) => node.id)
    return { buildings, locations: this.locationChain(this.buildings.get(buildingId)?.location_id ?? '') }
  }

  locationChain(locationId: string): string[] {
    return chain(this.locations, locationId).map((node) => node.id)
  }

  /** These places and everything below them. */
  below(
    locationIds: Iterable<string>,
    buildingIds: Iterable<string>,
  ): { locations: Set<string>; buildings: Set<string> } {
    const locations = descend(locationIds, this.locations, this.locationChildren)
    const roots = [...buildingIds]
    for (const id of locations) roots.push(...(this.buildingsAt.get(id) ?? []))
    return { locations, buildings: descend(roots, this.buildings, this.buildingChildren) }
  }

  buildingsNamed(word: string): string[] {
    return [...this.buildings.keys()].filter((id) => this.placeOf(id).folded.includes(word))
  }
}

const namesOf = (nodes: readonly Node[]): string => nodes.map((node) => node.name).join(SEPARATOR)

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

function chain<N extends Node>(nodes: Map<string, N>, id: string): N[] {
  const list: N[] = []
  for (
    let node = nodes.get(id);
    node && list.length < 100;
    node = node.parent_id ? nodes.get(node.parent_id) : undefined
  )
    list.unshift(node)
  return list
}

function descend(roots: Iterable<string>, nodes: Map<string, unknown>, children: Map<string, string[]>): Set<string> {
  const found = new Set<string>()
  const queue = [...roots].filter((id) => nodes.has(id))
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id)) continue
    found.add(id)
    queue.push(...(children.get(id) ?? []))
  }
  return found
}

const placesByOrg = perEngine((engine) => new Kept<Places>(engine, { name: 'places', max: 100 }))

/** The organization's places, as the handle sees them. */
export const placesOf = (handle: OrgHandle): Places | Promise<Places> =>
  placesByOrg(handle.engine).get(handle, `${handle.org}`, load)

async function load(handle: OrgHandle): Promise<Places> {
  const locations = await handle.all<Node>(
    sql`select t.id, t.parent_id, t.name, t.time_zone from locations t where t.org = :org`,
  )
  const buildings = await handle.all<BuildingNode>(
    sql`select t.id, t.parent_id, t.name, t.time_zone, t.location_id from buildings t where t.org = :org`,
  )
  const organization = await handle.one<{ time_zone: string }>(
    sql`select time_zone from organizations where key = :org`,
  )
  return new Places(locations, buildings, organization?.time_zone ?? 'UTC')
}

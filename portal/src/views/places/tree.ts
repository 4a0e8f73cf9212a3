import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import type { Building, Location } from '../../api/generated/types.ts'
import type { ListMeta } from '../../api/queries.ts'
import { resources } from '../../resource/resources.ts'

export type PlaceNoun = 'locations' | 'buildings' | 'spaces'

export interface Place {
  noun: PlaceNoun
  id: string
  name: string
  address: string | null
  /** The place above: of a space and of a wing its building, of a building its location. */
  above: string | null
  below: Place[]
}

const PER_PAGE = 100
/** Beyond it the tree says that it is not whole; tables search everything. */
const MOST_PAGES = 50
const AT_ONCE = 6

async function all<T>(noun: PlaceNoun, select: string): Promise<{ items: T[]; isWhole: boolean }> {
  const page = async (number: number) => {
    const query = new URLSearchParams({ select, order: 'name', limit: String(PER_PAGE), page: String(number) })
    return call<T[], ListMeta>(`${resources[noun].api}?${query}`)
  }
  const first = await page(1)
  const { pages = 1 } = first.meta.pagination
  const items = [...first.data]
  const last = Math.min(pages, MOST_PAGES)
  for (let next = 2; next <= last; next += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, last - next + 1) }, (_, index) => next + index)
    for (const { data } of await Promise.all(numbers.map(page))) items.push(...data)
  }
  return { items, isWhole: pages <= MOST_PAGES }
}

export interface PlaceTree {
  roots: Place[]
  byId: ReadonlyMap<string, Place>
  isWhole: boolean
}

/**
 * Locations and their buildings with their wings, as one tree. What lies below something out of reach stands at the
 * top.
 */
export const treeOptions = (seesLocations: boolean, seesBuildings: boolean) =>
  queryOptions({
    queryKey: ['places', seesLocations, seesBuildings],
    queryFn: async (): Promise<PlaceTree> => {
      const none = { items: [], isWhole: true }
      const [locations, buildings] = await Promise.all([
        seesLocations ? all<Location>('locations', 'id,name,parent_id,address') : none,
        seesBuildings ? all<Building>('buildings', 'id,name,parent_id,location_id,address') : none,
      ])
      const byId = new Map<string, Place>()
      for (const { id, name, address, parent_id } of locations.items) {
        byId.set(id, { noun: 'locations', id, name, address, above: parent_id, below: [] })
      }
      for (const { id, name, address, parent_id, location_id } of buildings.items) {
        byId.set(id, { noun: 'buildings', id, name, address, above: parent_id ?? location_id, below: [] })
      }
      const roots: Place[] = []
      for (const place of byId.values()) {
        const above = place.above === null ? undefined : byId.get(place.above)
        if (above) above.below.push(place)
        else roots.push(place)
      }
      return { roots, byId, isWhole: locations.isWhole && buildings.isWhole }
    },
  })

/** From the top down to the place itself. */
export function pathOf(tree: PlaceTree, place: Place): Place[] {
  const path: Place[] = []
  for (let next: Place | undefined = place; next; next = next.above === null ? undefined : tree.byId.get(next.above))
    path.unshift(next)
  return path
}

/** How many of a kind lie below. */
export const countBelow = (place: Place, noun: PlaceNoun): number =>
  place.below.reduce((sum, one) => sum + (one.noun === noun ? 1 : 0) + countBelow(one, noun), 0)

export interface Visible {
  place: Place
  level: number
  position: number
  size: number
  isOpen: boolean
  hasBelow: boolean
}

/** The spaces of buildings, as far as they are known; a building that is not in it may have some. */
export type SpacesIn = ReadonlyMap<string, readonly Place[]>

/** What is in sight, top to bottom. While somebody searches: what matches, and what leads there. */
export function visibleIn(
  tree: PlaceTree,
  open: ReadonlySet<string>,
  text: string,
  spaces: SpacesIn | undefined,
): Visible[] {
  const wanted = text.trim().toLowerCase()
  const matches = new Map<string, boolean>()
  const below = (place: Place): readonly Place[] => [...place.below, ...(spaces?.get(place.id) ?? [])]
  const mayHaveSpaces = ({ noun, id }: Place): boolean =>
    spaces !== undefined && noun === 'buildings' && !spaces.has(id)
  const leadsToMatch = (place: Place): boolean => {
    const known = matches.get(place.id)
    if (known !== undefined) return known
    // Spaces are looked for by the service: those that are here match.
    const isMatch =
      place.noun === 'spaces' ||
      place.name.toLowerCase().includes(wanted) ||
      (place.address ?? '').toLowerCase().includes(wanted)
    const value = below(place).map(leadsToMatch).some(Boolean) || isMatch
    matches.set(place.id, value)
    return value
  }
  const rows: Visible[] = []
  const add = (places: readonly Place[], level: number): void => {
    const shown = wanted === '' ? places : places.filter(leadsToMatch)
    for (const [index, place] of shown.entries()) {
      const isOpen = wanted === '' ? open.has(place.id) : below(place).some(leadsToMatch)
      const hasBelow = below(place).length > 0 || (wanted === '' && mayHaveSpaces(place))
      rows.push({ place, level, position: index + 1, size: shown.length, isOpen, hasBelow })
      if (isOpen) add(below(place), level + 1)
    }
  }
  add(tree.roots, 1)
  return rows
}

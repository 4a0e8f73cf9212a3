import { useDebouncedValue } from '@mantine/hooks'
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Space } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import { type Item, type ListQuery, listOptions, queryClient } from '../../api/queries.ts'
import { resources } from '../../resource/resources.ts'
import { textIn } from '../../typed.ts'
import type { Place, PlaceTree, SpacesIn } from './tree.ts'

const PER_PAGE = 100
/** Of a building with more spaces the first ones are in the tree; its page has all. */
const MOST_PAGES = 5

export const asPlace = (space: Item): Place => ({
  noun: 'spaces',
  id: space.id,
  name: textIn(space, 'name') ?? '',
  address: null,
  above: textIn(space, 'building_id') ?? null,
  below: [],
})

const byName = (a: Place, b: Place): number => a.name.localeCompare(b.name, undefined, { numeric: true })

/** The spaces that are a building's own; those of its wings are the wings'. */
const spacesOptions = (building: string) =>
  queryOptions({
    queryKey: ['places', 'spaces', building],
    queryFn: async (): Promise<Place[]> => {
      const page = (number: number) =>
        queryClient.fetchQuery(pageOptions({ building_id: building, limit: String(PER_PAGE), page: String(number) }))
      const { items, pages } = await page(1)
      const more = Array.from({ length: Math.min(pages, MOST_PAGES) - 1 }, (_, index) => page(index + 2))
      const all = [...items, ...(await Promise.all(more)).flatMap((one) => one.items)]
      return all
        .filter(({ building_id }) => building_id === building)
        .map(asPlace)
        .toSorted(byName)
    },
  })

const pageOptions = (query: ListQuery) => listOptions<Space>(resources.spaces.api, query)

/**
 * The spaces of every open building; while somebody searches, those that the service finds. Undefined: they are not for
 * this person.
 */
export function useSpacesIn(
  tree: PlaceTree | undefined,
  open: ReadonlySet<string>,
  text: string,
): { spaces: SpacesIn | undefined; isSearching: boolean } {
  const isSeen = useMay()(resources.spaces.read)
  const wanted = text.trim()
  const [typed] = useDebouncedValue(wanted, 150)
  const buildings = useMemo(
    () => [...open].filter((id) => isSeen && tree?.byId.get(id)?.noun === 'buildings'),
    [tree, open, isSeen],
  )
  const opened = useQueries({
    queries: buildings.map(spacesOptions),
    combine: (results) =>
      new Map(buildings.flatMap((id, index) => (results[index]?.data ? [[id, results[index].data] as const] : []))),
  })
  const search = useQuery({
    ...pageOptions({ search: typed, limit: String(PER_PAGE) }),
    enabled: isSeen && typed !== '',
  })
  const found = useMemo(
    () => Map.groupBy((search.data?.items ?? []).map(asPlace).toSorted(byName), ({ above }) => String(above)),
    [search.data],
  )
  const isSearching = isSeen && wanted !== '' && (wanted !== typed || search.isFetching)
  return { spaces: isSeen ? (wanted === '' ? opened : found) : undefined, isSearching }
}

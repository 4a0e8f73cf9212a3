import { type FetchQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMay } from '../api/me.ts'
import type { Item } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { Reference, referenceOptions } from './reference.tsx'
import { type Resource, resources } from './resources.ts'

export interface End {
  resource: Resource
  id: string
}

interface LocatedProps {
  end: End
  isPlain?: boolean
  isKindSaid?: boolean
}

/**
 * A person, group, door or place by its name and where it is. Where the head of its column says what it is, that alone
 * is no name.
 */
export function Located({ end, isPlain = false, isKindSaid = false }: LocatedProps) {
  const t = useWords()
  return (
    <span className="located">
      <Reference
        to={end.resource}
        id={end.id}
        isPlain={isPlain}
        kind={isKindSaid ? undefined : t.resources[end.resource.noun].one}
      />{' '}
      <Where end={end} />
    </span>
  )
}

/**
 * Every campus has a main building, every building an entrance hall, every locking system a first key: which one is
 * meant.
 */
export function Where({ end }: { end: End }) {
  const where = useWhere(end)
  return where === '' ? null : <span className="dimmed grant-where">{where}</span>
}

type Find = (resource: Resource, id: unknown) => Promise<Item | null>

/** One question for each end, whatever it takes to answer it: a table has many. */
export function useWhereOptions(): (end: End) => FetchQueryOptions<string> {
  const may = useMay()
  const client = useQueryClient()
  const find: Find = async (to, wanted) =>
    typeof wanted === 'string' && may(to.read) ? client.fetchQuery(referenceOptions(to, wanted)) : null
  return (end) => ({
    queryKey: ['where', end.resource.noun, end.id],
    queryFn: () => whereOf(end, find),
    staleTime: 60_000,
  })
}

function useWhere(end: End): string {
  const { data = '' } = useQuery(useWhereOptions()(end))
  return data
}

/** What is numbered within its locking system. */
const isOfSystem: ReadonlySet<string> = new Set(['keys', 'key-types', 'cylinders'])

async function whereOf({ resource, id }: End, find: Find): Promise<string> {
  const { noun } = resource
  const item = await find(resource, id)
  const house = noun === 'buildings' ? item : await find(resources.buildings, item?.building_id)
  const main = await find(resources.buildings, house?.parent_id)
  const site = await find(resources.locations, noun === 'locations' ? item?.parent_id : (house ?? item)?.location_id)
  // A door's label names its building already.
  const isNamed = noun === 'access-points' && item?.label !== ''
  const system = await find(resources['locking-system'], isOfSystem.has(noun) ? item?.locking_system_id : undefined)
  const houses =
    noun === 'buildings' ? [main] : (noun === 'spaces' || noun === 'access-points') && !isNamed ? [main, house] : []
  return [system, ...houses, site].flatMap((place) => (place ? [String(place.name)] : [])).join(', ')
}

import type { Item } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { inWords, textIn } from '../typed.ts'
import { useReferenced } from './reference.tsx'
import { labelOf, type Resource, resources } from './resources.ts'
import { wordFor } from './shown/status-badge.tsx'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What tells two things of one name apart: where it is, by its whole path, or whose it is. */
export function useItemHint(resource: Resource, item: Partial<Item> | null | undefined): string {
  const t = useWords()
  const { noun } = resource
  const isBuilding = noun === 'buildings'
  const idOf = (field: string) => textIn(item, field)
  const space = useReferenced(
    resources.spaces,
    noun === 'access-points' || noun === 'cylinders' ? idOf('space_id') : undefined,
  ).data
  const house = useReferenced(resources.buildings, isBuilding ? undefined : idOf('building_id')).data
  const main = useReferenced(resources.buildings, isBuilding ? idOf('parent_id') : textIn(house, 'parent_id')).data
  const site = useReferenced(resources.locations, textIn(house, 'location_id') ?? idOf('location_id')).data
  const above = useReferenced(
    resources.locations,
    noun === 'locations' ? idOf('parent_id') : textIn(site, 'parent_id'),
  ).data
  const system = useReferenced(resources['locking-system'], idOf('locking_system_id')).data
  const door = useReferenced(
    resources['access-points'],
    noun === 'cylinders' ? idOf('access_point_id') : undefined,
  ).data
  if (!item) return ''
  // The list of spaces says their path itself.
  if (noun === 'spaces') return [textOf(item.location), textOf(item.building)].filter(Boolean).join(' / ')
  const place = [above, site, main, house, space].map((one) => textOf(one?.name))
  const own: unknown[] | undefined = inWords(
    {
      individuals: [item.department, item.company, item.email],
      'access-groups': [item.description],
      schedules: [item.description],
      calendars: [item.region, item.description],
      credentials: [item.number],
      keys: [system?.name, typeof item.status === 'string' ? wordFor(t.values, 'status', item.status) : ''],
      'key-types': [system?.name],
      cylinders: [system?.name, door && labelOf(resources['access-points'], door)],
      users: [item.email],
    },
    noun,
  )
  const words = (own ?? []).map(textOf)
  return [...place, ...words].filter(Boolean).join(' / ')
}

/** The same below its name, in a picker. */
export function ItemHint({ resource, item }: { resource: Resource; item: Partial<Item> | null | undefined }) {
  const hint = useItemHint(resource, item)
  return hint === '' ? null : <small>{hint}</small>
}

/** The same at the head of its page, and wherever something is done with it. */
export const ItemPath = ({ resource, item }: { resource: Resource; item: Partial<Item> }) => useItemHint(resource, item)

import { useQuery } from '@tanstack/react-query'
import { useMay, useMe } from '../api/me.ts'
import { listOptions } from '../api/queries.ts'
import type { AnyView } from './define-view.ts'
import { isSeenInPart, type Resource, resources } from './resources.ts'

/** What stands at a location: a role that is limited to buildings makes none. */
const atLocations: ReadonlySet<string> = new Set(['locations', 'buildings', 'access-control-systems'])
/** What belongs to a locking system, and is made where that is one's own. */
const ofLocks: ReadonlySet<string> = new Set(['key-types', 'keys', 'cylinders'])

/** The places that a right is limited to; undefined: it holds everywhere, or not at all. */
function usePlacesOf(): (
  permission: string | undefined,
) => { location_ids: string[]; building_ids: string[] } | undefined {
  const { permissions } = useMe()
  return (permission) => permissions.find((held) => held.permission === permission && held.scope === 'places')
}

/** Whether there is any place where I may make one: a button that is refused wherever one turns is none. */
export function useMayCreate(): (resource: Resource) => boolean {
  const may = useMay()
  const placesOf = usePlacesOf()
  const hasOwnLocks = useHasOwnLocks(resources['locking-system'].write)
  return ({ noun, create, write }) => {
    if (create === undefined || !may(write)) return false
    const places = placesOf(write)
    if (!places) return true
    if (atLocations.has(noun)) return places.location_ids.length > 0
    return !ofLocks.has(noun) || hasOwnLocks
  }
}

/** Whether a locking system is mine to do this with, as far as I am limited to places. */
function useHasOwnLocks(permission: Resource['write']): boolean {
  const locks = resources['locking-system']
  const may = useMay()
  const isLimited = usePlacesOf()(permission) !== undefined
  const { data } = useQuery({ ...listOptions(locks.api, { limit: '100' }), enabled: isLimited && may(locks.read) })
  return !isLimited || (data?.items.some((item) => !isSeenInPart(locks, item)) ?? false)
}

/** A key is handed out where its locking system is one's own. */
export function useMayHandOut(): boolean {
  const hasOwnLocks = useHasOwnLocks('keys:handover')
  return useMay()('keys:handover') && hasOwnLocks
}

const PLACES = ['location_id', 'building_id', 'space_id', 'access_point_id', 'parent_id']

/**
 * Where a new one of a view starts: in the one place that I am limited to, unless where the form was opened says
 * another.
 */
export function useOwnPlace(view: AnyView, given: Record<string, unknown>): Record<string, unknown> {
  const places = usePlacesOf()(view.startsInOwnPlace ? view.resource.write : undefined)
  if (!places || PLACES.some((field) => field in given)) return {}
  const { location_ids: locations, building_ids: buildings } = places
  if (locations.length + buildings.length !== 1) return {}
  return buildings[0] === undefined ? { location_id: locations[0] } : { building_id: buildings[0] }
}

import { common, type PlaceSet, type Scope } from '../core/rights.ts'
import { Type } from '../core/schema.ts'
import type { OrgHandle } from '../db/org.ts'
import { placesOf } from '../db/places.ts'
import type { Resource } from '../db/resource.ts'
import { sightOf } from '../db/scope.ts'
import type { Sql } from '../db/sql.ts'
import { uuidParameter, type ValuesOf } from '../query/parameters.ts'
import type { RouteDoc } from './route-doc.ts'

/**
 * Of every list whose items lie somewhere. A filter on `building_id` compares that one field, as the grammar says of
 * every filter.
 */
export const withinParameters = { within_location: uuidParameter, within_building: uuidParameter }

const id = Type.String({ format: 'uuid' })
export const withinDocs: NonNullable<RouteDoc['parameters']> = [
  {
    name: 'within_location',
    description: 'Only what lies at this location or anywhere below it: in its buildings, their wings, their spaces.',
    schema: id,
  },
  { name: 'within_building', description: 'Only what lies in this building or any of its wings.', schema: id },
]

/**
 * What lies in a place is what somebody with a role limited to that place would manage of it, not what merely has to do
 * with it. Of a place that the caller does not reach nothing is told, not even by what else they see that has to do
 * with it.
 */
export async function askedPlaces(
  handle: OrgHandle,
  { within_location, within_building }: ValuesOf<typeof withinParameters>,
  scope: Scope,
): Promise<PlaceSet[]> {
  if (within_location === undefined && within_building === undefined) return []
  const places = await placesOf(handle)
  const asked = [
    ...(within_location === undefined ? [] : [places.below([within_location], [])]),
    ...(within_building === undefined ? [] : [places.below([], [within_building])]),
  ]
  return asked.map((place) => common(place, scope))
}

export const withinPlaces = (handle: OrgHandle, resource: Resource, places: readonly PlaceSet[]): Promise<Sql[]> =>
  Promise.all(places.map(async (place) => (await sightOf(handle, resource, place)).managed))

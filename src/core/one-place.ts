import { invalid } from './errors.ts'

/** A place to be limited to, or to belong to: one location or one building; neither: the organization as a whole. */
export function refuseTwoPlaces({ location_id, building_id }: { location_id: string | null; building_id: string | null }): void {
  if (location_id !== null && building_id !== null)
    throw invalid('building_id', 'place.one', 'building_id: give a location_id or a building_id, not both')
}

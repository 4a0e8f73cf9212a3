import { invalid } from './errors.ts'

/** A place to be limited to, or to belong to: one location or one building; neither: the organization as a whole. */
export function refuseTwoPlaces({
  location_id,
  building_id,
}: {
  location_id: string | null
  building_id: string | null
}): void {
  if (location_id !== null && building_id !== null)
    throw invalid('building_id', 'place.one', 'building_id: give a location_id or a building_id, not both')
}

/** What access is given to. */
export const TARGETS = ['access_point_id', 'space_id', 'building_id', 'location_id'] as const

/** Of several fields that name what something is for or about, one must be given. */
export function exactlyOne<Name extends string>(
  row: Readonly<Record<Name, unknown>>,
  names: readonly [Name, ...Name[]],
  what: string,
): void {
  const given = names.filter((name) => row[name] !== null)
  if (given.length === 1) return
  const message =
    `Give ` +
    `exactly one ${what}: ${names.slice(0, -1).join(', ')} or ${names.at(-1)}; ` +
    `${given.length === 0 ? 'none is given' : `${given.join(' and ')} are given`}`
  throw invalid(given[1] ?? names[0], `grant.${what}`, message)
}

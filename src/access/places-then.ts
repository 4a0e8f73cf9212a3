import type { OrgHandle } from '../db/org.ts'
import { Places, placesOf } from '../db/places.ts'
import { join, raw, sql } from '../db/sql.ts'
import type { Settings } from './settings.ts'

interface PlaceRow {
  id: string
  parent_id: string | null
  name: string
  time_zone: string | null
}

/** The tree of places under these settings: the one in memory, or as it was. */
export function placesIn(settings: Settings): Places | Promise<Places> {
  if (settings.asOf === undefined) return placesOf(settings.handle)
  let places = known.get(settings)
  if (!places) {
    places = placesThen(settings, settings.asOf)
    known.set(settings, places)
  }
  return places
}

/** What was then stays so: one question asks for it again with every few doors or people. */
const known = new WeakMap<Settings, Promise<Places>>()

async function placesThen(settings: Settings, asOf: string): Promise<Places> {
  const { handle } = settings
  const today = await placesOf(handle)
  // Looked at afterwards: what has not been written by then was not when today's were read either.
  if (!(await areOther(handle, asOf))) return today
  const locations = await handle.all<PlaceRow>(
    sql`select t.id, t.parent_id, t.name, t.time_zone from ${settings.from('locations', 't')} where t.org = :org`,
  )
  const buildings = await handle.all<PlaceRow & { location_id: string }>(
    sql`select t.id, t.parent_id, t.name, t.time_zone, t.location_id from ${settings.from('buildings', 't')}
      where t.org = :org`,
  )
  const zone = await handle.one<{ time_zone: string }>(
    sql`select h.time_zone from organizations_history h where h.org = :org and h.ended_at > ${asOf}
      order by h.sequence limit 1`,
  )
  return new Places(locations, buildings, zone?.time_zone ?? today.organizationZone)
}

/**
 * Whether a place came, went or was written after a moment, or the zone of those without one; each is read in one step
 * from the end of an index.
 */
async function areOther(handle: OrgHandle, asOf: string): Promise<boolean> {
  const ways = [
    ...['locations', 'buildings'].map(
      (table) => sql`exists (select 1 from ${raw(table)} t where t.org = :org and t.created_at > ${asOf})`,
    ),
    ...['locations', 'buildings', 'organizations'].map(
      (table) => sql`exists (select 1 from ${raw(`${table}_history`)} h where h.org = :org and h.ended_at > ${asOf})`,
    ),
  ]
  const row = await handle.one<{ is_other: unknown }>(sql`select ${join(ways, ' or ')} as is_other`)
  return Boolean(row?.is_other)
}

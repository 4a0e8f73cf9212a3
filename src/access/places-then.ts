import { Places, placesOf } from '../db/places.ts'
import { sql } from '../db/sql.ts'
import type { Settings } from './settings.ts'

interface PlaceRow {
  id: string
  parent_id: string | null
  name: string
  time_zone: string | null
}

/** The tree of places under these settings: the one in memory, or as it was. */
export async function placesIn(settings: Settings): Promise<Places> {
  const { handle, asOf } = settings
  if (asOf === undefined) return placesOf(handle)
  const locations = await handle.all<PlaceRow>(
    sql`select t.id, t.parent_id, t.name, t.time_zone from ${settings.from('locations', 't')} where t.org = :org`,
  )
  const buildings = await handle.all<PlaceRow & { location_id: string }>(
    sql`select t.id, t.parent_id, t.name, t.time_zone, t.location_id from ${settings.from('buildings', 't')}
      where t.org = :org`,
  )
  const organization = await handle.one<{ time_zone: string }>(
    sql`select time_zone from organizations where key = :org`,
  )
  return new Places(locations, buildings, organization?.time_zone ?? 'UTC')
}

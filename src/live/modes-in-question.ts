import { type EmergencyRow, loadEmergencies } from '../access/doors.ts'
import { Settings } from '../access/settings.ts'
import type { Extent } from '../db/engine.ts'
import { OrgHandle } from '../db/org.ts'
import { placesOf } from '../db/places.ts'
import { join, type Sql, sql } from '../db/sql.ts'

/** So many doors are looked at in one go. */
const SLICE = 250

/**
 * The doors that may be in another mode than locked, or are stored as such, some at a time: all others are locked. One
 * that is found in two ways is looked at twice.
 */
export async function* doorsInQuestion(handle: OrgHandle): AsyncGenerator<readonly string[]> {
  const { engine, org, instant } = handle
  // What is stored follows from the rest, and is not noted as read.
  const stored = new OrgHandle(engine, org, instant)
  yield* slicesOf(
    stored,
    (
      last,
      limit,
    ) => sql`select l.id from access_point_states l where l.org = :org and l.mode <> 'locked' and l.id > ${last}
    order by l.id limit ${limit}`,
    IN_ORDER,
  )
  yield* slicesOf(
    handle,
    (last, limit) => sql`select t.id from access_points t where t.org = :org and t.unlock_schedule_id is not null
    and t.id > ${last} order by t.id limit ${limit}`,
    IN_ORDER,
  )
  yield* slicesOf(
    handle,
    (
      last,
      limit,
    ) => sql`select o.access_point_id as id from door_overrides o where o.org = :org and o.since <= ${instant}
    and (o.until is null or o.until > ${instant}) and o.access_point_id > ${last} order by o.access_point_id
    limit ${limit}`,
  )
  const emergencies = await loadEmergencies(new Settings(handle), instant)
  for (const where of await reachOf(handle, emergencies))
    yield* slicesOf(
      handle,
      (last, limit) => sql`select t.id from access_points t where t.org = :org and ${where} and t.id > ${last}
      order by t.id limit ${limit}`,
    )
}

/** An index has those of an organization alone, by their ids: asked every second, and read at once. */
const IN_ORDER = 2

const FIRST = '00000000-0000-0000-0000-000000000000'

async function* slicesOf(
  handle: OrgHandle,
  select: (last: string, limit: number) => Sql,
  extent?: Extent,
): AsyncGenerator<readonly string[]> {
  for (let last = FIRST; ; ) {
    const ids = (await handle.all<{ id: string }>(select(last, SLICE), extent)).map(({ id }) => id)
    if (ids.length > 0) yield ids
    if (ids.length < SLICE) return
    last = ids.at(-1) ?? last
  }
}

/** Conditions on `t` that together find the doors below the targets of emergencies. */
async function reachOf(handle: OrgHandle, emergencies: readonly EmergencyRow[]): Promise<Sql[]> {
  if (emergencies.some(({ target }) => target === null)) return [sql`true`]
  const ids = emergencies.flatMap(({ target }) => target ?? [])
  if (ids.length === 0) return []
  const places = await placesOf(handle)
  const { buildings } = places.below(
    ids.filter((id) => places.locations.has(id)),
    ids.filter((id) => places.buildings.has(id)),
  )
  const { dialect } = handle
  const near = join([dialect.inList('t.id', ids, 'uuid'), dialect.inList('t.space_id', ids, 'uuid')], ' or ')
  const within = [...buildings].map((id) => sql`t.building_id = ${id}`)
  return [sql`(${near})`, ...within]
}

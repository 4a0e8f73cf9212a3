import { momentIn, type Place } from '../access/event-moment.ts'
import type { Presence } from '../core/decide/facts.ts'
import type { OrgHandle } from '../db/org.ts'
import { raw, type Sql, sql } from '../db/sql.ts'

/** What is known of an event that is looked at. */
interface Passing {
  readonly type: string
  readonly access_point_id: string | null
  readonly individual_id: string | null
  readonly credential_id: string | null
  readonly credential_number: string | null
  readonly sequence: number
}

/** So many events around one are looked at for what was told earlier or later than it happened. */
export const OUT_OF_ORDER = 1000
/** So many of somebody's own. */
const OWN = 20
/** So many people who have passed since are each looked for where they were before. */
const MOVED = 20

const NOT_TAKEN = 'access.not_taken'

/** By a type that no index has: SQLite would go through all events of these types. */
const passes: Sql = raw("coalesce(t.type, '') in ('access.granted', 'access.taken', 'access.not_taken')")

/** Where somebody's passing begins: by going through the door that has let them in they prove nothing. */
export async function beginOf(handle: OrgHandle, event: Passing, at: string): Promise<Place> {
  const { type, access_point_id, individual_id, credential_id, credential_number, sequence } = event
  const own: Place = { at, sequence }
  if (type === 'access.granted') return own
  const who =
    individual_id !== null
      ? sql`t.individual_id = ${individual_id}`
      : credential_id !== null
        ? sql`t.credential_id = ${credential_id}`
        : sql`t.credential_number = ${credential_number}`
  const last = await handle.one<Place & { type: string }>(sql`
    select t.type, t.sequence, ${momentIn('t')} as at from access_events t where t.org = :org
    and t.access_point_id = ${access_point_id} and ${who} and t.sequence < ${sequence}
    and t.sequence > ${sequence - OUT_OF_ORDER} and ${passes} order by t.sequence desc limit 1`)
  return last?.type === 'access.granted' ? { at: last.at < at ? last.at : at, sequence: last.sequence } : own
}

interface Passed extends Place {
  readonly type: string
  readonly individual_id: string | null
  readonly access_point_id: string
  readonly is_out: unknown
  readonly received_at: string
  /** Null: the door is gone. */
  readonly space_id: string | null
  readonly from_space_id: string | null
}

const passed = sql`t.type, t.sequence, t.individual_id, t.access_point_id, t.received_at, ${momentIn('t')} as at,
  coalesce(t.direction, p.direction) = 'out' as is_out, p.space_id, p.from_space_id from access_events t
  left join access_points p on p.org = :org and p.id = t.access_point_id where t.org = :org
  and t.access_point_id is not null and ${passes}`

const isBefore = ({ at, sequence }: Place, place: Place): boolean =>
  at < place.at || (at === place.at && sequence < place.sequence)

const lastOf = (events: readonly Passed[]): Passed | undefined =>
  events.reduce<Passed | undefined>((last, event) => (last && isBefore(event, last) ? last : event), undefined)

export type Seen = Pick<Presence, 'space_id' | 'since'>
export const NOWHERE: Seen = { space_id: null, since: null }

/**
 * Where somebody was before an event: an event moves whom it tells of, and so that is to be read nowhere else.
 * Undefined: it is not known.
 */
export async function seenBefore(handle: OrgHandle, individual: string, place: Place): Promise<Seen | undefined> {
  const all = sql`select ${passed} and t.individual_id = ${individual}`
  const { sequence } = place
  const events = [
    ...(await handle.all<Passed>(sql`${all} and t.sequence < ${sequence} order by t.sequence desc limit ${OWN}`)),
    // What was told later may have happened before.
    ...(await handle.all<Passed>(sql`${all} and t.sequence > ${sequence} order by t.sequence limit ${OWN}`)),
  ]
  const own = events.filter((event) => isBefore(event, place)).sort((a, b) => (isBefore(a, b) ? -1 : 1))
  const last = own.at(-1)
  if (!last) return NOWHERE
  const stayed = (await hasStayed(handle, last, place)) ? [{ ...last, type: NOT_TAKEN }] : []
  const { by } = [...own, ...stayed].reduce(followed, { by: undefined, before: undefined })
  if (!by) return NOWHERE
  if (by.space_id === null) return undefined
  const forgotten = await forgottenSince(handle, individual, by.received_at)
  if (forgotten !== null) return forgotten <= place.at ? NOWHERE : undefined
  return { space_id: sideOf(by), since: by.at }
}

/** By which event somebody is where they are. */
interface Followed {
  readonly by: Passed | undefined
  /** The one before they were let in, until they are known to have gone; none: they were seen nowhere. */
  readonly before: { readonly by: Passed | undefined } | undefined
}

/** Whoever was let in and did not go is where they were. */
function followed({ by, before }: Followed, event: Passed): Followed {
  if (event.type === NOT_TAKEN) {
    if (before) return { by: before.by, before: undefined }
    // Where the door does not say what lies on this side, nobody has left by not going.
    return { by: sideOf(event) === null ? by : event, before: undefined }
  }
  if (event.type !== 'access.granted') return { by: event, before: undefined }
  const isAgain = before && by?.access_point_id === event.access_point_id && sideOf(by) === sideOf(event)
  return { by: event, before: isAgain ? before : { by } }
}

const sideOf = ({ type, is_out, space_id, from_space_id }: Passed): string | null =>
  Boolean(is_out) === (type === NOT_TAKEN) ? space_id : from_space_id

/** A door that tells that nobody went seldom says who did not. */
async function hasStayed(handle: OrgHandle, { type, access_point_id, sequence }: Passed, place: Place) {
  if (type !== 'access.granted') return false
  const next = await handle.one<{ type: string; individual_id: string | null }>(sql`
    select t.type, t.individual_id from access_events t where t.org = :org and t.access_point_id = ${access_point_id}
    and t.sequence > ${sequence} and t.sequence < ${place.sequence} and ${passes} order by t.sequence limit 1`)
  return next?.type === NOT_TAKEN && next.individual_id === null
}

/** When it was last forgotten where somebody was: who was forgiven, or has handed in their badge. */
async function forgottenSince(handle: OrgHandle, individual: string, since: string): Promise<string | null> {
  const forgiven = await handle.one<{ at: string }>(sql`select a.occurred_at as at from audit_log a where a.org = :org
    and a.resource_id = ${individual} and a.action = 'individual.forgiven' order by a.sequence desc limit 1`)
  const left = await handle.one<{ at: string | null }>(sql`select max(v.left_at) as at from visits v
    where v.org = :org and v.visitor_id = ${individual}`)
  const at = [forgiven?.at ?? '', left?.at ?? ''].sort().at(-1) ?? ''
  return at >= since ? at : null
}

/** Between how many others were in a space before an event. */
interface Inside {
  readonly least: number
  readonly most: number
}

/** Who has not passed since was there then; of who has, it is looked up where that may fill the space. */
export async function insideBefore(
  handle: OrgHandle,
  { id, limit }: { readonly id: string; readonly limit: number },
  individual: string | null,
  place: Place,
): Promise<Inside> {
  const others = individual === null ? raw('true') : sql`t.individual_id <> ${individual}`
  const row = await handle.one<{ n: number; last: number }>(sql`
    select count(*) as n, (select h.sequence from live_heads h where h.org = :org) as last from presence t
    where t.org = :org and t.space_id = ${id} and coalesce(t.heard_at, t.since) < ${place.at} and ${others}`)
  const { n: least = 0, last = 0 } = row ?? {}
  if (least >= limit) return { least, most: least }
  const through = place.sequence + OUT_OF_ORDER
  const events = await handle.all<Passed>(sql`select ${passed} and t.sequence > ${place.sequence - OUT_OF_ORDER}
    and t.sequence <= ${through} and ${momentIn('t')} >= ${place.at} order by t.sequence`)
  const moved = Map.groupBy(
    events.filter((event) => event.individual_id !== individual || event.individual_id === null),
    (event) => event.individual_id,
  )
  // Who did not go through a door that tells of nobody may be anybody that it let in.
  const unnamed = moved.get(null)?.filter(({ type }) => type === NOT_TAKEN).length ?? 0
  moved.delete(null)
  if (last > through) return { least, most: Number.POSITIVE_INFINITY }
  if (least + unnamed + moved.size < limit) return { least, most: least + unnamed + moved.size }
  return await lookUp(handle, id, moved, place, { least, most: least + unnamed })
}

async function lookUp(
  handle: OrgHandle,
  space: string,
  moved: ReadonlyMap<string | null, readonly Passed[]>,
  place: Place,
  known: Inside,
): Promise<Inside> {
  let { least, most } = known
  let asked = 0
  for (const [individual, events] of moved) {
    const before = lastOf(events.filter((event) => isBefore(event, place)))
    const isAsked = !before && individual !== null && asked++ < MOVED
    const seen = isAsked ? await seenBefore(handle, individual, place) : undefined
    const is_inside = before ? sideOf(before) === space : seen && seen.space_id === space
    if (is_inside) least += 1
    if (is_inside ?? true) most += 1
  }
  return { least, most }
}

import type { Door, Emergency, Space, Target } from '../core/decide/facts.ts'
import type { ScheduleFacts } from '../core/time/schedule.ts'
import { Reads } from '../db/kept/reads.ts'
import type { Places } from '../db/places.ts'
import { raw, sql } from '../db/sql.ts'
import { momentIn } from './event-moment.ts'
import { placesIn } from './places-then.ts'
import { loadSchedules } from './schedules.ts'
import { Settings } from './settings.ts'

/** A door with all that stands above it. */
export interface DoorFacts {
  readonly door: Door
  readonly emergencies: readonly Emergency[]
  /** Where a grant may stand that holds here: the door, its space, the places around them. */
  readonly targets: readonly Target[]
}

interface DoorRow {
  id: string
  name: string
  access_control_system_id: string | null
  direction: Door['direction']
  emergency_exit: unknown
  unlock_schedule_id: string | null
  first_person_in: unknown
  override: Door['override']
  override_until: string | null
  space_id: string
  building_id: string
  space_name: string
  occupancy_limit: number | null
  passback: Space['passback']
  passback_minutes: number | null
}

interface Columns {
  readonly door: string
  readonly space: string
}

/** What a door's mode is made of. */
const OF_MODE: Columns = {
  door: `t.id, t.space_id, t.access_control_system_id, t.unlock_schedule_id, t.first_person_in, o.override,
  o.until as override_until`,
  space: 's.building_id',
}
const OF_ALL: Columns = {
  door: `${OF_MODE.door}, t.name, t.direction, t.emergency_exit`,
  space: `${OF_MODE.space}, s.name as space_name, s.occupancy_limit, s.passback, s.passback_minutes`,
}
/** As far as a mode goes, doors differ in nothing else: whoever looks at it does not hang on the rest. */
const PLAIN = {
  name: '',
  direction: 'both',
  emergency_exit: false,
  space_name: '',
  occupancy_limit: null,
  passback: 'none',
} as const

export async function loadDoors(
  settings: Settings,
  ids: Iterable<string>,
  at: string,
): Promise<Map<string, DoorFacts>> {
  const rows = await doorRows<DoorRow>(settings, OF_ALL, ids, at)
  // Where one of several doors is named it is the same each time: engines give rows as they happen to lie.
  rows.sort((a, b) => (a.id < b.id ? -1 : 1))
  return factsOfAll(settings, rows, at)
}

/** The same with what a door's mode is made of, and nothing else. Who comes and goes meanwhile is not noted as read. */
export async function loadModes(
  settings: Settings,
  ids: Iterable<string>,
  at: string,
): Promise<Map<string, DoorFacts>> {
  const rows = await doorRows<Omit<DoorRow, keyof typeof PLAIN | 'passback_minutes'>>(settings, OF_MODE, ids, at)
  const whole = rows.map((row): DoorRow => ({ ...PLAIN, passback_minutes: null, ...row }))
  return factsOfAll(settings, whole, at, new Settings(settings.handle.recording(new Reads())))
}

/** What a command has set holds from the moment on at which its door confirmed it. */
async function doorRows<Row extends { space_id: string }>(
  settings: Settings,
  columns: Columns,
  ids: Iterable<string>,
  at: string,
): Promise<Row[]> {
  const { handle, asOf } = settings
  const overrides = sql`left join door_overrides o on o.org = :org and o.access_point_id = t.id and o.since <= ${at}
    and (o.until is null or o.until > ${at})`
  const those = sql`t.org = :org and ${handle.dialect.inList('t.id', ids, 'uuid')}`
  if (asOf === undefined)
    return handle.all<Row>(sql`
      select ${raw(columns.door)}, ${raw(columns.space)}
      from access_points t join spaces s on s.org = :org and s.id = t.space_id ${overrides} where ${those}`)
  // Joined as they were on another day, every space there is would be looked at for a few doors.
  const doors = await handle.all<Row>(
    sql`select ${raw(columns.door)} from ${settings.from('access_points', 't')} ${overrides} where ${those}`,
  )
  const spaces = await handle.all<{ space_id: string }>(sql`
    select s.id as space_id, ${raw(columns.space)} from ${settings.from('spaces', 's')} where s.org = :org
    and ${handle.dialect.inList('s.id', new Set(doors.map(({ space_id }) => space_id)), 'uuid')}`)
  const byId = new Map(spaces.map((space) => [space.space_id, space]))
  return doors.flatMap((door) => {
    const space = byId.get(door.space_id)
    return space ? [{ ...door, ...space }] : []
  })
}

async function factsOfAll(
  settings: Settings,
  rows: readonly DoorRow[],
  at: string,
  live = settings,
): Promise<Map<string, DoorFacts>> {
  const places = await placesIn(settings)
  const emergencies = await loadEmergencies(settings, at)
  const unlocking = new Set(rows.flatMap((row) => row.unlock_schedule_id ?? []))
  const schedules = await loadSchedules(settings, unlocking)
  const entries = await lastEntries(
    live,
    rows.filter((row) => row.first_person_in && row.unlock_schedule_id !== null).map((row) => row.id),
    at,
  )
  return new Map(rows.map((row) => [row.id, factsOf(row, places, emergencies, schedules, entries)]))
}

function factsOf(
  row: DoorRow,
  places: Places,
  emergencies: readonly EmergencyRow[],
  schedules: ReadonlyMap<string, ScheduleFacts>,
  entries: ReadonlyMap<string, string>,
): DoorFacts {
  const around = placesAround(row, places)
  const ids = new Set([...around.map((place) => place.id), row.id])
  const door: Door = {
    id: row.id,
    name: row.name,
    time_zone: places.placeOf(row.building_id).time_zone,
    access_control_system_id: row.access_control_system_id,
    direction: row.direction,
    emergency_exit: Boolean(row.emergency_exit),
    override: row.override,
    override_until: row.override_until,
    unlock_schedule: schedules.get(row.unlock_schedule_id ?? '') ?? null,
    first_person_in: Boolean(row.first_person_in),
    last_entry_at: entries.get(row.id) ?? null,
    space: {
      id: row.space_id,
      name: row.space_name,
      occupancy_limit: row.occupancy_limit,
      passback: row.passback,
      passback_minutes: row.passback_minutes,
    },
    places: around,
  }
  return {
    door,
    emergencies: emergencies.filter(({ target }) => target === null || ids.has(target)),
    targets: [...around, { kind: 'access_point', id: row.id, name: row.name }],
  }
}

function placesAround(row: DoorRow, places: Places): Target[] {
  const { locations, buildings } = places.above(row.building_id)
  return [
    ...locations.map((id): Target => ({ kind: 'location', id, name: places.locations.get(id)?.name ?? '' })),
    ...buildings.map((id): Target => ({ kind: 'building', id, name: places.buildings.get(id)?.name ?? '' })),
    { kind: 'space', id: row.space_id, name: row.space_name },
  ]
}

export interface EmergencyRow extends Emergency {
  /** Null: the whole organization. */
  readonly target: string | null
}

/**
 * Lockdowns and evacuations, with their dates as they were known; one that was released before this was kept is not, as
 * of a moment before that. A drill touches no door.
 */
export async function loadEmergencies(settings: Settings, at: string): Promise<EmergencyRow[]> {
  const { handle, asOf } = settings
  // What the answer hangs on of the clock is the moment that is asked about.
  const known = asOf ?? handle.instant
  const rows = await handle.all<Omit<EmergencyRow, 'name'> & { reason: string | null }>(sql`
    select t.id, t.kind, t.reason, t.created_at as since, coalesce(case
    when t.released_at <= ${known} then t.released_at end, t.expires_at) as until,
      coalesce(t.access_point_id, t.space_id, t.building_id, t.location_id) as target
    from ${settings.from('lockdowns', 't')} where t.org = :org and t.kind <> 'drill' and t.created_at <= ${known}
      and (t.released_at is null or t.released_at > ${at} or t.released_at > ${known})
      and (t.expires_at is null or t.expires_at > ${at})
    order by t.created_at, t.id`)
  return rows.map(({ reason, ...row }) => ({ ...row, name: reason ?? row.since }))
}

/** When somebody was last let in at these doors. */
async function lastEntries(
  { handle, events }: Settings,
  doors: readonly string[],
  at: string,
): Promise<Map<string, string>> {
  if (doors.length === 0 || events === 'none') return new Map()
  const last = await handle.all<{ door: string; at: string }>(sql`
    select t.id as door, t.last_entry_at as at from access_point_states t
    where t.org = :org and t.last_entry_at is not null and ${handle.dialect.inList('t.id', doors, 'uuid')}`)
  const known = new Map(last.map((row) => [row.door, row.at]))
  // What is noted of the very moment of an event may be of itself.
  const isLater = (entered: string) => (events === 'all' ? entered > at : entered >= events.at)
  const later = [...known].filter(([, entered]) => isLater(entered)).map(([door]) => door)
  if (later.length === 0) return known
  // Asked about a moment before it: what happened tells.
  for (const door of later) known.delete(door)
  const moment = momentIn('t')
  const before =
    events === 'all'
      ? sql`${moment} <= ${at}`
      : sql`${moment} <= ${events.at} and (${moment} < ${events.at} or t.sequence < ${events.sequence})`
  const rows = await handle.all<{ door: string; at: string | null }>(sql`
    select l.id as door, (select ${moment} from access_events t where t.org = :org and t.access_point_id = l.id
      and t.type in ('access.granted', 'access.taken') and coalesce(t.direction, 'in') <> 'out'
      and (t.direction is not null or p.direction <> 'out')
      and ${before} order by ${moment} desc limit 1) as at from ${handle.dialect.ids(later, 'l')}
    cross join access_points p where p.org = :org and p.id = l.id`)
  for (const row of rows) if (row.at !== null) known.set(row.door, row.at)
  return known
}

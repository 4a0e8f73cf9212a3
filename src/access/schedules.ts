import { boundedMap } from '../core/bounded-map.ts'
import type { ScheduleFacts } from '../core/time/schedule.ts'
import { sql } from '../db/sql.ts'
import type { Settings } from './settings.ts'

interface Row extends Pick<ScheduleFacts, 'id' | 'name' | 'time_zone' | 'on_holiday'> {
  windows: Json<ScheduleFacts['windows']>
  holiday_windows: Json<ScheduleFacts['holiday_windows']>
  days: Json<Array<{ date: string; name: string }> | null>
}

/** JSON is a text on SQLite and read already on PostgreSQL. */
type Json<T> = string | T
const read = <T>(value: Json<T>): T => (typeof value === 'string' ? JSON.parse(value) : value)

/** What was made of the same texts before: a calendar has up to two thousand days. */
const made = boundedMap<ScheduleFacts>(500)

/** The schedules of these ids with their calendars' days, under these settings. */
export async function loadSchedules(settings: Settings, ids: ReadonlySet<string>): Promise<Map<string, ScheduleFacts>> {
  if (ids.size === 0) return new Map()
  const { handle } = settings
  const rows = await handle.all<Row>(sql`
    select t.id, t.name, t.time_zone, t.windows, t.on_holiday, t.holiday_windows, c.days
    from ${settings.from('schedules', 't')}
    left join ${settings.from('calendars', 'c')} on c.org = :org and c.id = t.calendar_id
    where t.org = :org and ${handle.dialect.inList('t.id', ids, 'uuid')}`)
  return new Map(rows.map((row) => [row.id, remembered(row)]))
}

function remembered(row: Row): ScheduleFacts {
  const key = JSON.stringify(row)
  let facts = made.get(key)
  if (!facts) {
    facts = factsOf(row)
    made.set(key, facts)
  }
  return facts
}

function factsOf(row: Row): ScheduleFacts {
  const days = read<Array<{ date: string; name: string }> | null>(row.days) ?? []
  return {
    id: row.id,
    name: row.name,
    time_zone: row.time_zone,
    windows: read(row.windows),
    on_holiday: row.on_holiday,
    holiday_windows: read(row.holiday_windows),
    holidays: new Set(days.map(({ date }) => date)),
    holiday_names: new Map(days.map(({ date, name }) => [date, name])),
  }
}

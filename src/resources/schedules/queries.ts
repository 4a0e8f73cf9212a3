import { loadSchedules } from '../../access/schedules.ts'
import { Settings } from '../../access/settings.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { type ScheduleFacts, weekdays } from '../../core/time/schedule.ts'
import { checkTimeZone } from '../../core/time/time-zone.ts'
import type { Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { Schedule } from './schema.ts'

export function prepareSchedule(_tx: Tx, next: Schedule): undefined {
  checkTimeZone('time_zone', next.time_zone)
  if (next.on_holiday === 'windows' && next.holiday_windows.length === 0) {
    throw invalid(
      'holiday_windows',
      'schedule.no_holiday_windows',
      'holiday_windows: say when it is open on holidays, or set on_holiday to closed',
    )
  }
  next.windows = next.windows.map(({ days, start, end }) => ({
    days: weekdays.filter((day) => days.includes(day)),
    start,
    end,
  }))
}

/** A schedule with the days of its calendar, as it is worked with. */
export async function factsOf(handle: OrgHandle, { id }: Schedule): Promise<ScheduleFacts> {
  const facts = (await loadSchedules(new Settings(handle), new Set([id]))).get(id)
  if (!facts) throw notFound()
  return facts
}

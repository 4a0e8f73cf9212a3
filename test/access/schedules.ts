const week = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const workdays = week.slice(0, 5)
const every = (start: string, end: string) => [{ days: week, start, end }]

/** The schedules that the cases name. Wednesday 2027-06-16 is a holiday in their calendar. */
export const HOLIDAY = '2027-06-16'
export const calendarDays = [{ date: HOLIDAY, name: 'Founders’ Day' }]

interface ScheduleSpec {
  windows: ReadonlyArray<{ days: string[]; start: string; end: string }>
  time_zone?: string
  on_holiday?: 'closed' | 'as_usual' | 'windows'
  holiday_windows?: ReadonlyArray<{ start: string; end: string }>
}

/** With `on_holiday` they know the calendar. */
export const scheduleSpecs: Readonly<Record<string, ScheduleSpec>> = {
  office: { windows: [{ days: workdays, start: '08:00', end: '18:00' }] },
  night: { windows: every('22:00', '06:00') },
  fridayNight: { windows: [{ days: ['fri'], start: '22:00', end: '06:00' }] },
  afternoon: { windows: every('13:00', '15:00') },
  evening: { windows: every('18:00', '24:00') },
  morning: { windows: every('06:00', '10:00') },
  always: { windows: every('00:00', '24:00') },
  never: { windows: [] },
  split: { windows: [...every('08:00', '12:00'), ...every('13:00', '17:00')] },
  touching: { windows: [...every('08:00', '14:30'), ...every('14:30', '17:00')] },
  sunday: { windows: [{ days: ['sun'], start: '10:00', end: '12:00' }] },
  tokyo: { windows: every('09:00', '17:00'), time_zone: 'Asia/Tokyo' },
  newYork: { windows: every('09:00', '17:00'), time_zone: 'America/New_York' },
  closedOnHolidays: { windows: every('08:00', '18:00'), on_holiday: 'closed' },
  nightsButHolidays: { windows: every('22:00', '06:00'), on_holiday: 'closed' },
  asUsual: { windows: every('08:00', '18:00'), on_holiday: 'as_usual' },
  shortOnHolidays: {
    windows: every('08:00', '18:00'),
    on_holiday: 'windows',
    holiday_windows: [{ start: '10:00', end: '12:00' }],
  },
  holidaysOnly: { windows: [], on_holiday: 'windows', holiday_windows: [{ start: '10:00', end: '12:00' }] },
  inTheGap: { windows: [{ days: ['sun'], start: '02:30', end: '05:00' }] },
  endsInGap: { windows: [{ days: ['sun'], start: '01:00', end: '02:30' }] },
  small: { windows: [{ days: ['sun'], start: '02:15', end: '02:45' }] },
  overTheChange: { windows: [{ days: ['sat'], start: '22:00', end: '06:00' }] },
}

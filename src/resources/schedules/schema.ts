import { code, common, json, name, oneOf, prose, type RowOf, reference } from '../../core/fields.ts'
import { Type } from '../../core/schema.ts'
import { type Weekday, weekdays } from '../../core/time/schedule.ts'
import { defineResource, EVERYWHERE } from '../../db/resource.ts'

const MAX_WINDOWS = 50

const Start = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' })
const End = Type.String({ pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$' })
const Day = Type.Unsafe<Weekday>({ type: 'string', enum: weekdays })

const Windows = Type.Array(
  Type.Object(
    { days: Type.Array(Day, { minItems: 1, uniqueItems: true }), start: Start, end: End },
    { additionalProperties: false },
  ),
  { maxItems: MAX_WINDOWS },
)
const HolidayWindows = Type.Array(Type.Object({ start: Start, end: End }, { additionalProperties: false }), {
  maxItems: MAX_WINDOWS,
})

export const schedules = defineResource({
  noun: 'schedules',
  table: 'schedules',
  singular: 'schedule',
  plural: 'schedules',
  description: 'When something holds: windows of the week, and what applies on the days of a calendar.',
  fields: {
    ...common,
    name: name().required().describe('Name, unique within the organization.', 'Office hours'),
    description: prose().nullable().describe('Free text.', 'Monday to Friday, closed on public holidays'),
    time_zone: code().nullable().describe('IANA time zone of its hours; null: that of the access point.', null),
    windows: json(Windows)
      .default([])
      .describe(
        'When it is open, from the start to before the end. An end at or before the start is on the next day; 24:00 ' +
          'is the end of the day. Windows that touch are one. Where clocks are changed, a start that they skip is ' +
          'the moment at which they do, a start that they show twice is the earlier, an end the later.',
        [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '08:00', end: '18:00' }],
      ),
    calendar_id: reference('calendars')
      .nullable()
      .describe('The calendar whose days are its holidays; null: it knows none.'),
    on_holiday: oneOf('closed', 'as_usual', 'windows').describe(
      'What applies on a holiday: it is closed, or open as on any other day, or open in `holiday_windows`. A window ' +
        'over midnight belongs to the day it starts on.',
      'closed',
    ),
    holiday_windows: json(HolidayWindows)
      .default([])
      .describe('When it is open on holidays, where `on_holiday` is `windows`.', [{ start: '10:00', end: '16:00' }]),
  },
  search: ['name', 'description', 'external_id'],
  searchThrough: ['calendar_id'],
  // It belongs to the organization as a whole, and whoever sees a grant must be able to read when it holds.
  reaches: EVERYWHERE,
})

export type Schedule = RowOf<typeof schedules.fields>

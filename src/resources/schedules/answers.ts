import { Type } from '../../core/schema.ts'

const instant = (description: string) => Type.String({ format: 'date-time', description })
const instantOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })
const local = (description: string) => instantOrNull(`${description}, as the clocks of the time zone show it.`)
const shown = (properties: Parameters<typeof Type.Object>[0], description: string) =>
  Type.Object(properties, { additionalProperties: false, description })

const Holiday = Type.Object(
  { date: Type.String({ format: 'date' }), name: Type.String() },
  { additionalProperties: false, description: 'A day of the calendar.' },
)
const HolidayOrNull = Type.Unsafe<{ date: string; name: string } | null>({
  ...Holiday,
  type: ['object', 'null'],
  description: 'The day that decides, where that is a holiday and holidays are not as usual.',
})

const common = {
  schedule_id: Type.String({ format: 'uuid' }),
  time_zone: Type.String({
    description: 'Where its hours are read: its own zone, or the one asked for, or the organization’s.',
  }),
}

export const ScheduleStateAnswer = shown(
  {
    ...common,
    at: instant('The instant that was asked for.'),
    open: Type.Boolean({ description: 'Whether it is open then.' }),
    from: instantOrNull('Since when it is open; null: it is closed, or has been open for more than a year.'),
    until: instantOrNull('Until when it is open; null: it is closed, or stays open for more than a year.'),
    next: instantOrNull('When a closed one opens next; null: not within a year, or it is open.'),
    holiday: HolidayOrNull,
    local: shown(
      { at: local('The instant'), from: local('`from`'), until: local('`until`'), next: local('`next`') },
      'The same instants with the offset of the time zone.',
    ),
  },
  'What a schedule says at an instant.',
)

export const ScheduleTimeline = shown(
  {
    ...common,
    from: instant('Midnight of the first day.'),
    until: instant('Midnight after the last.'),
    spans: Type.Array(
      shown(
        {
          from: instant('From when on it is open.'),
          until: instant('Until when.'),
          local_from: instant('`from`, as the clocks of the time zone show it.'),
          local_until: instant('`until`, as the clocks of the time zone show it.'),
          holiday: HolidayOrNull,
          begins_before: Type.Boolean({ description: 'It was open already when the timeline begins.' }),
          ends_after: Type.Boolean({ description: 'It is still open when the timeline ends.' }),
        },
        'One span without a break.',
      ),
      { description: 'When it is open, in order.' },
    ),
    holidays: Type.Array(Holiday, { description: 'The days of its calendar in that time.' }),
    clock_changes: Type.Array(
      shown(
        {
          at: instant('When.'),
          local_before: instant('What the clocks would have shown.'),
          local_after: instant('What they show instead.'),
        },
        'A change to or from summer time.',
      ),
      { description: 'When clocks are changed in that time.' },
    ),
  },
  'When a schedule is open, day after day.',
)

const zone = { schedule_id: '01997d2a-4c00-7000-8000-000000000001', time_zone: 'Europe/Zurich' }

export const stateExample = {
  ...zone,
  at: '2026-05-04T19:40:00.000Z',
  open: false,
  from: null,
  until: null,
  next: '2026-05-04T20:00:00.000Z',
  holiday: null,
  local: { at: '2026-05-04T21:40:00.000+02:00', from: null, until: null, next: '2026-05-04T22:00:00.000+02:00' },
}

export const timelineExample = {
  ...zone,
  from: '2026-05-13T22:00:00.000Z',
  until: '2026-05-15T22:00:00.000Z',
  spans: [
    {
      from: '2026-05-15T06:00:00.000Z',
      until: '2026-05-15T16:00:00.000Z',
      local_from: '2026-05-15T08:00:00.000+02:00',
      local_until: '2026-05-15T18:00:00.000+02:00',
      holiday: null,
      begins_before: false,
      ends_after: false,
    },
  ],
  holidays: [{ date: '2026-05-14', name: 'Ascension Day' }],
  clock_changes: [],
}

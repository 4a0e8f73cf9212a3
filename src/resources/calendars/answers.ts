import { type TSchema, Type } from '../../core/schema.ts'
import { itemSchema } from '../../http/schemas.ts'
import { calendars, Day, REGION_PATTERN } from './schema.ts'

export const MIN_YEAR = 1970
export const MAX_YEAR = 2200
export const MAX_YEARS = 30

const Year = Type.Integer({ minimum: MIN_YEAR, maximum: MAX_YEAR })
const days = (description: string) => Type.Array(Day, { description })

export const CalendarFill = Type.Object(
  {
    region: Type.Optional(
      Type.String({
        pattern: REGION_PATTERN,
        maxLength: 20,
        description:
          'Whose public holidays; the calendar’s own region unless given. A calendar without one takes it over.',
        examples: ['CH-ZH'],
      }),
    ),
    from_year: { ...Year, description: 'The first year.', examples: [2027] },
    to_year: { ...Year, description: `The last year; at most ${MAX_YEARS} years at once.`, examples: [2028] },
    language: Type.Optional(
      Type.String({
        pattern: '^[a-z]{2}$',
        description:
          'The language of the names (ISO 639-1), where the holidays have one in it; the organization’s unless ' +
          'given.',
        examples: ['de'],
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ default: false, description: 'Says what would happen, and stores nothing.' }),
    ),
  },
  { additionalProperties: false },
)

export const CalendarFilling = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Whether nothing was stored.' }),
    added: days('Days that are new.'),
    changed: Type.Array(
      Type.Object(
        { date: Type.String({ format: 'date' }), name: Type.String(), before: Type.String() },
        { additionalProperties: false },
      ),
      { description: 'Days that have another name now, because nobody had edited the one proposed before.' },
    ),
    kept: days('Days that stood there already and stay as they are.'),
    left_out: days('Days that were proposed before and taken out since: they stay out.'),
    unread: Type.Array(Type.Object({ what: Type.String(), why: Type.String() }, { additionalProperties: false }), {
      description: 'What is no whole day, or could not be read, and why; the first 100.',
    }),
    calendar: { ...itemSchema(calendars), description: 'The calendar, as it is then.' },
  },
  { additionalProperties: false },
)

export const CalendarRegion = Type.Object(
  {
    code: Type.String({ description: 'As a calendar’s `region` takes it.' }),
    name: Type.String({ description: 'Its name in English, or its own.' }),
    parent: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'The region it is a part of.' }),
  },
  { additionalProperties: false },
)

export const regionsExample = [
  { code: 'CH', name: 'Switzerland', parent: null },
  { code: 'CH-ZH', name: 'Zürich', parent: 'CH' },
]

export const fillingExample = {
  dry_run: false,
  added: [{ date: '2026-12-26', name: 'St. Stephen’s Day' }],
  changed: [],
  kept: [{ date: '2026-12-25', name: 'Christmas Day' }],
  left_out: [],
  unread: [],
  calendar: exampleOf(itemSchema(calendars)),
}

/** Of each field the example it declares. */
function exampleOf({ properties = {} }: TSchema): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, { examples }]) => [name, examples?.[0]]))
}

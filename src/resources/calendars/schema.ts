import { common, date, integer, json, name, prose, type RowOf, text } from '../../core/fields.ts'
import { type Static, Type } from '../../core/schema.ts'
import { defineResource, EVERYWHERE } from '../../db/resource.ts'

export const MAX_DAYS = 2000
export const MAX_NAME = 200

export const Day = Type.Object(
  { date: Type.String({ format: 'date' }), name: Type.String({ minLength: 1, maxLength: MAX_NAME }) },
  { additionalProperties: false },
)
const GivenDay = Type.Object(
  { ...Day.properties, name: Type.String({ ...Day.properties.name, format: 'line' }) },
  { additionalProperties: false },
)
const Days = Type.Array(GivenDay, { maxItems: MAX_DAYS })
export type CalendarDay = Static<typeof Day>

/** A country and what lies in it, as ISO 3166 writes it and a little beyond: CH, CH-ZH, DE-BY-A. */
export const REGION_PATTERN = '^[A-Z]{2}(-[A-Za-z0-9]{1,10}){0,2}$'

export const calendars = defineResource({
  noun: 'calendars',
  table: 'calendars',
  singular: 'calendar',
  plural: 'calendars',
  description:
    'Holidays and other days that differ. The days are stored: they can be proposed for a region, and edited.',
  fields: {
    ...common,
    name: name().required().describe('Name, unique within the organization.', 'Holidays in Zürich'),
    description: prose().nullable().describe('Free text.', 'Public holidays, and the two days between the years'),
    region: text(20, { pattern: REGION_PATTERN })
      .nullable()
      .describe('The region that days are proposed for: a country such as CH, or a part of it such as CH-ZH.', 'CH-ZH'),
    days: json(Days)
      .default([])
      .describe(`The days, each date once, in their order; at most ${MAX_DAYS}. A change sets them all.`, [
        { date: '2026-12-25', name: 'Christmas Day' },
        { date: '2026-12-26', name: 'St. Stephen’s Day' },
      ]),
    day_count: integer(0, MAX_DAYS).default(0).readOnly().describe('How many days it has.', 2),
    last_day: date()
      .nullable()
      .readOnly()
      .describe('The last of them: after it the calendar knows no holidays.', '2026-12-26'),
  },
  search: ['name', 'description', 'region', 'external_id'],
  // It belongs to the organization as a whole, and whoever sees a grant must be able to read when it holds.
  reaches: EVERYWHERE,
})

export type Calendar = RowOf<typeof calendars.fields>

import { code, common, name, number, type RowOf, reference, text } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'
import { sql } from '../../db/sql.ts'

export const locations = defineResource({
  noun: 'locations',
  table: 'locations',
  singular: 'location',
  plural: 'locations',
  description: 'Sites, campuses, cities: a tree of places that hold buildings.',
  fields: {
    ...common,
    parent_id: reference('locations').nullable().describe('The location above it; null at the top.'),
    name: name().required().describe('Name.', 'Zürich'),
    slug: code().default('').describe('Short name for addresses and file names; may be empty.', 'zurich'),
    address: text(500).nullable().describe('Postal address.', 'Rämistrasse 101, 8092 Zürich'),
    time_zone: code()
      .nullable()
      .describe('IANA time zone; null inherits from the location above, else from the organization.', 'Europe/Zurich'),
    latitude: number(-90, 90).nullable().describe('Degrees north.', 47.3769),
    longitude: number(-180, 180).nullable().describe('Degrees east.', 8.5417),
  },
  search: ['name', 'slug', 'address'],
  // By the one above as well: a new one is not among the known ids yet.
  place: ({ row, inLocations }) => sql`${inLocations(`${row}.id`)} or ${inLocations(`${row}.parent_id`)}`,
})

export type Location = RowOf<typeof locations.fields>

import { code, common, name, type RowOf, reference, text } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'
import { sql } from '../../db/sql.ts'

export const buildings = defineResource({
  noun: 'buildings',
  table: 'buildings',
  singular: 'building',
  plural: 'buildings',
  description: 'Buildings and their wings. A wing lies where its building lies and moves with it.',
  fields: {
    ...common,
    location_id: reference('locations').required().describe('Where it stands.'),
    parent_id: reference('buildings').nullable().describe('The building it is a wing of.'),
    name: name().required().describe('Name.', 'Main building'),
    slug: code().default('').describe('Short name; may be empty.', 'main'),
    address: text(500).nullable().describe('Postal address, where it is not the location’s.', 'Rämistrasse 101'),
    time_zone: code().nullable().describe('IANA time zone; null inherits.', 'Europe/Zurich'),
  },
  search: ['name', 'slug', 'address'],
  // By what it belongs to as well: a new one is not among the known ids yet.
  place: ({ row, inBuildings, inLocations }) =>
    sql`${inBuildings(`${row}.id`)} or ${inBuildings(`${row}.parent_id`)} or ${inLocations(`${row}.location_id`)}`,
})

export type Building = RowOf<typeof buildings.fields>

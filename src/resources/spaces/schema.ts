import {
  code,
  common,
  integer,
  json,
  name,
  oneOf,
  prose,
  type RowOf,
  reference,
  text,
  uuid,
} from '../../core/fields.ts'
import { Type } from '../../core/schema.ts'
import { placesOf } from '../../db/places.ts'
import { defineResource, type Resource } from '../../db/resource.ts'
import { sql } from '../../db/sql.ts'

const EmbeddedAccessPoint = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    description: Type.String(),
    label: Type.String({ description: 'Short code.' }),
  },
  { additionalProperties: false },
)

const count = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, description })

const Summary = Type.Object(
  {
    total_access_control_systems: count(
      'The distinct systems that drive its access points. Null when you may not read access control systems, or do ' +
        'not see each of these.',
    ),
    total_access_credentials: count(
      'The usable credentials of those individuals, keys held included. Null when you may not read credentials.',
    ),
    total_access_points: count('The access points that lead into it. Null when you may not read access points.'),
    total_individuals: count(
      'Whom a grant in force, or a key held, lets through at least one of them. Null when you may not read ' +
        'individuals.',
    ),
  },
  { additionalProperties: false, description: 'Each count is null when it is not computed.' },
)

export const spaces = defineResource({
  noun: 'spaces',
  table: 'spaces',
  singular: 'space',
  plural: 'spaces',
  description: 'Rooms and areas within a building.',
  fields: {
    id: common.id,
    building_id: reference('buildings').required().describe('Building the space belongs to.'),
    name: name().required().describe('Space name.', 'E 27.3 Seminar room'),
    location: text(10_000)
      .decorated()
      .describe('Composite text: the names of the locations, root first, joined by " / ".', 'Switzerland / Zürich'),
    building: text(10_000)
      .decorated()
      .describe('Composite text: the names of the buildings, root first.', 'Main building / East wing'),
    slug: code().default('').describe('Short name; may be empty.', 'e-27-3'),
    area: code().nullable().describe('Area, as text.', '42 m²'),
    department: code().nullable().describe('Who uses it.', 'Physics'),
    access_points: json(Type.Array(EmbeddedAccessPoint))
      .decorated()
      .absentWhenForbidden()
      .describe('The access points that lead into it; absent when you may not read access points.'),
    summary: json(Summary).decorated().describe('Counts.'),
    location_id: uuid().decorated().describe('Location of its building.'),
    floor: integer(-200, 500).nullable().describe('Floor; 0 is the ground floor.', 2),
    description: prose().default('').describe('Free text.', ''),
    occupancy_limit: integer(1, 1_000_000).nullable().describe('How many may be in it at once; null: no limit.', null),
    passback: oneOf('none', 'soft', 'hard', 'timed').describe(
      'What happens when somebody who is in it already comes in again: nothing, it is noted, it is refused, or ' +
        'refused for passback_minutes.',
      'none',
    ),
    passback_minutes: integer(1, 10_080).nullable().describe('For how long, where passback is timed.', null),
    time_zone: code().decorated().describe('Time zone in force here, resolved.', 'Europe/Zurich'),
    external_id: common.external_id,
    created_at: common.created_at,
    updated_at: common.updated_at,
    version: common.version,
  },
  search: ['name', 'slug', 'department', 'area'],
  defaultOrder: ['name', 'id'],
  place: ({ row, inBuildings }) => inBuildings(`${row}.building_id`),
  // The composite texts are looked through too: a word in a location's or building's name finds every space in it.
  searchAlso: async (handle, word) => {
    const named = (await placesOf(handle)).buildingsNamed(word)
    return named.length === 0 ? undefined : sql`${handle.dialect.inList('t.building_id', named, 'uuid')}`
  },
})

const { defaultOrder: _byName, ...declared } = spaces

/**
 * The same by creation, which nobody changes: whoever reads all of it by cursor misses none that was renamed meanwhile.
 */
export const spaceRecords: Resource = declared

/** An item of the list has exactly the fields of the specification. */
export const spaceListFields = [
  'id',
  'building_id',
  'name',
  'location',
  'building',
  'slug',
  'area',
  'department',
  'access_points',
  'summary',
] as const

export type Space = RowOf<typeof spaces.fields>
export type SpaceSummary = Space['summary']

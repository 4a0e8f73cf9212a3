import { common, integer, oneOf, prose, type RowOf, reference, text, timestamp } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'
import { targetLiesThere } from '../../db/scope.ts'
import { raw, sql } from '../../db/sql.ts'
import { countAtExpiry } from '../../live/expired-emergencies.ts'

const MANY = Number.MAX_SAFE_INTEGER

export const lockdowns = defineResource({
  noun: 'lockdowns',
  table: 'lockdowns',
  singular: 'lockdown',
  plural: 'lockdowns',
  description:
    'Emergencies: a lockdown keeps everybody out but those whose grant holds during one, an evacuation opens every ' +
    'door that a system drives, a drill touches no door and is measured, as an evacuation is. For a location, ' +
    'building, space or access point with all below it, or for the whole organization. It lasts until it is released ' +
    'or expires, and is kept.',
  fields: {
    ...common,
    kind: oneOf('lockdown', 'evacuation', 'drill').fixedAtCreation().describe('What it is.', 'lockdown'),
    location_id: reference('locations')
      .nullable()
      .fixedAtCreation()
      .describe('Where: a location. At most one place; none: the whole organization.', null),
    building_id: reference('buildings').nullable().fixedAtCreation().describe('Where: a building and its wings.'),
    space_id: reference('spaces').nullable().fixedAtCreation().describe('Where: a space.', null),
    access_point_id: reference('access_points').nullable().fixedAtCreation().describe('Where: one access point.', null),
    reason: prose().nullable().describe('Why, for whoever stands before a door.', 'Alarm in the server room'),
    expires_at: timestamp()
      .nullable()
      .describe('When it ends by itself; null: when it is released.', '2027-06-15T14:00:00.000Z'),
    started_by: text(400).readOnly().describe('Who started it.', 'Ada Lovelace'),
    released_at: timestamp().nullable().readOnly().describe('When it was released.', null),
    released_by: text(400).nullable().readOnly().describe('Who released it.', null),
    status: oneOf('active', 'expired', 'released')
      .derived(
        `case when t.released_at is not null then 'released' when t.expires_at <= :now then 'expired' else ` +
          `'active' end`,
      )
      .describe('Whether it is in force.', 'active'),
    present_at_start: integer(0, MANY)
      .nullable()
      .decorated()
      .describe(
        'How many people were inside its place as it began, by where they were last seen. Of drills and evacuations; ' +
          'null of a lockdown, of one access point, from before this was counted, and to whoever may not read ' +
          'presence in all of its place.',
        null,
      ),
    present_at_end: integer(0, MANY)
      .nullable()
      .decorated()
      .describe(
        'How many were still inside as it was released or expired; null until then, and where present_at_start is. ' +
          'One that expires is counted by a job that looks every second: null until it has, and for good where the ' +
          'service was down for more than a minute then.',
        null,
      ),
    duration_seconds: integer(0, MANY)
      .nullable()
      .decorated()
      .describe(
        'How long a drill or evacuation took, until it was released or expired; null while it goes on, and of a ' +
          'lockdown.',
        null,
      ),
  },
  search: ['reason', 'started_by'],
  searchThrough: ['location_id', 'building_id', 'space_id', 'access_point_id'],
  place: targetLiesThere,
  onMoment: countAtExpiry,
  // One above them holds in the caller's places too: whoever stands before a shut door there must be able to read why.
  reaches: {
    rows: ({
      row,
      aboveInBuildings,
      aboveInLocations,
    }) => sql`${aboveInLocations(`${row}.location_id`)} or ${aboveInBuildings(`${row}.building_id`)}
      or coalesce(${raw(`${row}.location_id, ${row}.building_id, ${row}.space_id, ${row}.access_point_id`)}) is null`,
    // All but the version, which is for changing it.
    fields: [
      ...(['id', 'external_id', 'created_at', 'updated_at', 'kind', 'location_id', 'building_id', 'space_id'] as const),
      ...(['access_point_id', 'reason', 'expires_at', 'started_by', 'released_at', 'released_by', 'status'] as const),
      ...(['present_at_start', 'present_at_end', 'duration_seconds'] as const),
    ],
  },
})

export type Lockdown = RowOf<typeof lockdowns.fields>

import { isGroupThere } from '../../access/lists/of-places.ts'
import { common, count, name, prose, type RowOf, reference, timestamp } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'
import { lyingAt } from '../../db/scope.ts'
import { raw, sql } from '../../db/sql.ts'

export const accessGroups = defineResource({
  noun: 'access-groups',
  table: 'access_groups',
  singular: 'access group',
  plural: 'access groups',
  description:
    'Individuals who are given access together: teams, shifts, tenants. Each belongs to a location, to a building or ' +
    'to the organization as a whole. A role limited to a place sees those that belong there whole, and of those ' +
    'that belong elsewhere and have a grant there `id` and `name`.',
  fields: {
    ...common,
    name: name().required().describe('Name, unique within the organization.', 'Night shift'),
    description: prose().nullable().describe('Free text.', 'Everybody who works after 22:00'),
    location_id: reference('locations')
      .nullable()
      .describe('The location it belongs to; this, building_id or neither.', null),
    building_id: reference('buildings')
      .nullable()
      .describe('The building it belongs to; this, location_id or neither.', null),
    member_count: count(
      'select count(*) from access_group_members m where m.org = :org and m.access_group_id = t.id',
    ).describe('How many members it has, those whose time is yet to come or over included.', 12),
  },
  place: lyingAt,
  reaches: { rows: (places) => isGroupThere(places, `${places.row}.id`), fields: ['id', 'name'] },
  isReferredToBySight: true,
  search: ['name', 'description', 'external_id'],
})

export type AccessGroup = RowOf<typeof accessGroups.fields>

export const accessGroupMembers = defineResource({
  noun: 'access-group-members',
  table: 'access_group_members',
  permissions: { read: 'access-groups:read', write: 'access-groups:write' },
  singular: 'access group member',
  plural: 'access group members',
  description: 'Who belongs to the group, and for how long. An individual is a member once.',
  fields: {
    ...common,
    access_group_id: reference('access_groups').required().fixedAtCreation().owned().describe('The group.'),
    individual_id: reference('individuals').required().fixedAtCreation().describe('The member.'),
    valid_from: timestamp().nullable().describe('From when on; null: from the start.'),
    valid_until: timestamp().nullable().describe('Until when; null: without end.', '2027-12-31T23:00:00.000Z'),
  },
  search: [],
  searchThrough: ['individual_id', 'access_group_id'],
  // A membership is where its group belongs.
  place: (places) => sql`${raw(places.row)}.access_group_id in (
    select mg.id from access_groups mg where mg.org = :org and (${lyingAt({ ...places, row: 'mg' })}))`,
})

export type AccessGroupMember = RowOf<typeof accessGroupMembers.fields>

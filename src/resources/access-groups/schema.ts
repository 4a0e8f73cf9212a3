import { common, count, name, prose, type RowOf, reference, timestamp } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'

export const accessGroups = defineResource({
  noun: 'access-groups',
  table: 'access_groups',
  singular: 'access group',
  plural: 'access groups',
  description: 'Individuals who are given access together: teams, shifts, tenants.',
  fields: {
    ...common,
    name: name().required().describe('Name, unique within the organization.', 'Night shift'),
    description: prose().nullable().describe('Free text.', 'Everybody who works after 22:00'),
    member_count: count('select count(*) from access_group_members m where m.org = :org and m.access_group_id = t.id').describe(
      'How many members it has, those whose time is yet to come or over included.',
      12,
    ),
  },
  search: ['name', 'description', 'external_id'],
})

export const accessGroupMembers = defineResource({
  noun: 'access-group-members',
  table: 'access_group_members',
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
})

export type AccessGroupMember = RowOf<typeof accessGroupMembers.fields>

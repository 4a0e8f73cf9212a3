import { common, type RowOf, reference, text } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'
import { lyingAt } from '../../db/scope.ts'

export const roleAssignments = defineResource({
  noun: 'role-assignments',
  table: 'role_assignments',
  singular: 'role assignment',
  plural: 'role assignments',
  description:
    'Who has which role, and where: in the whole organization, or at one location or in one building with all below ' +
    'it. To change one, delete it and make another.',
  fields: {
    ...common,
    role_id: reference('roles').required().describe('The role.'),
    role_name: text(200)
      .derived('select r.name from roles r where r.org = :org and r.id = t.role_id')
      .describe('Its name.', 'Operator'),
    user_id: reference('users')
      .nullable()
      .owned()
      .describe('The person who has it; a role assignment has this or service_user_id.', null),
    user_name: text(200)
      .nullable()
      .derived('select u.name from users u where u.org = :org and u.id = t.user_id')
      .describe('Their name.', null),
    service_user_id: reference('service_users').nullable().owned().describe('The service user that has it.'),
    service_user_name: text(200)
      .nullable()
      .derived('select u.name from service_users u where u.org = :org and u.id = t.service_user_id')
      .describe('Its name.', 'HR synchronisation'),
    location_id: reference('locations')
      .nullable()
      .describe('Limits the role to this location and everything below it.'),
    building_id: reference('buildings')
      .nullable()
      .describe('Limits the role to this building and everything below it.', null),
  },
  search: [],
  searchThrough: ['role_id', 'user_id', 'service_user_id', 'location_id', 'building_id'],
  place: lyingAt,
})

export type RoleAssignment = RowOf<typeof roleAssignments.fields>

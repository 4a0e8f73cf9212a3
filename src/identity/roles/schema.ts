import { boolean, common, json, name, prose, type RowOf } from '../../core/fields.ts'
import { allPermissions, type Permission } from '../../core/permissions.ts'
import { Type } from '../../core/schema.ts'
import { defineResource } from '../../db/resource.ts'
import { assignedAt } from '../../db/scope.ts'
import { raw, sql } from '../../db/sql.ts'

/** A set of permissions of the catalogue. */
export const PermissionSet = Type.Array(Type.Unsafe<Permission>({ type: 'string', enum: allPermissions }), {
  uniqueItems: true,
})

export const roles = defineResource({
  noun: 'roles',
  table: 'roles',
  singular: 'role',
  plural: 'roles',
  description:
    'What may be done, as sets of permissions. Of the built-in ones nothing is changed but whether they demand a ' +
    'second factor; others can be made.',
  fields: {
    ...common,
    name: name().required().describe('Name, unique within the organization.', 'Key desk'),
    description: prose().nullable().describe('Who it is for.', 'Hands out keys and takes them back'),
    permissions: json(PermissionSet)
      .default([])
      .describe('What it allows; nobody can put in what they do not hold themselves.', ['keys:read', 'keys:handover']),
    requires_second_factor: boolean()
      .default(false)
      .describe(
        'Whether whoever has it, anywhere, logs in with a second factor; see `require_second_factor` of the ' +
          'organization. The one thing that can be changed of a built-in role. Taking it back needs a login, and all ' +
          'that the role allows.',
        false,
      ),
    is_built_in: boolean()
      .default(false)
      .readOnly()
      .describe('Whether it came with the service: its name and permissions cannot be changed.', false),
  },
  // Those that came with the service are no secret, nor are those that somebody has at a place, there.
  reaches: { rows: (places) => sql`${raw(places.row)}.is_built_in or ${assignedAt('role_id')(places)}` },
  search: ['name', 'description'],
})

export type Role = RowOf<typeof roles.fields>

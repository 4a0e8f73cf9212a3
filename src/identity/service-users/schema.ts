import { common, name, oneOf, prose, type RowOf, timestamp } from '../../core/fields.ts'
import { defineResource } from '../../db/resource.ts'
import { assignedAt } from '../../db/scope.ts'
import { refuseGivingAllOf } from '../giving.ts'

export const serviceUsers = defineResource({
  noun: 'service-users',
  table: 'service_users',
  singular: 'service user',
  plural: 'service users',
  description:
    'Software that uses this service. A service user acts through its tokens, within its roles. Deleting one deletes ' +
    'its tokens and role assignments.',
  fields: {
    ...common,
    name: name().required().describe('Name.', 'HR synchronisation'),
    description: prose().nullable().describe('What it is for.', 'Brings in joiners and leavers every night'),
    status: oneOf('active', 'suspended').describe('Suspended: its tokens are refused until it is active again.'),
    last_used_at: timestamp().nullable().readOnly().describe('When one of its tokens was last used, to the minute.'),
  },
  // Those who have a role at a place are known there by name.
  reaches: { rows: assignedAt('service_user_id'), fields: ['id', 'name'] },
  search: ['name', 'description'],
  onWake: (tx, { id }) => refuseGivingAllOf(tx, { user_id: null, service_user_id: id }),
  isVolatile: true,
})

export type ServiceUser = RowOf<typeof serviceUsers.fields>

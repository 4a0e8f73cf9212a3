import { IconTicket } from '@tabler/icons-react'
import type { ServiceUser } from '../../api/generated/types.ts'
import { defineView } from '../../resource/define-view.ts'
import { resources } from '../../resource/resources.ts'
import { assignRole, reactivate, suspend } from '../shared-actions.ts'
import { rolesOf } from './role-assignments.tsx'

const roles = rolesOf('service_user_id')

export const serviceUsers = defineView<ServiceUser>({
  resource: resources['service-users'],
  columns: ['name', 'status', roles, 'description', 'last_used_at', { field: 'created_at', isExtra: true }],
  order: 'name.asc',
  filters: [{ field: 'status', kind: 'values', values: ['active', 'suspended'] }],
  form: [{ fields: ['name', 'description', 'external_id'] }],
  detail: {
    badges: ['status'],
    sections: [
      {
        facts: ['description', roles, 'last_used_at', 'external_id'],
      },
    ],
    tabs: [
      {
        key: 'tokens',
        view: 'tokens',
        isNested: true,
        isCreatedAbove: true,
        glimpse: ['name', 'status', 'expires_at'],
      },
      {
        key: 'roles',
        view: 'role-assignments',
        by: 'service_user_id',
        isCreatedAbove: true,
        glimpse: ['role_id', 'place'],
      },
    ],
  },
  actions: [
    {
      name: 'create-token',
      label: (t) => t.identity.createToken,
      icon: IconTicket,
      permission: 'tokens:write',
      when: ({ status }) => status === 'active',
      isPrimary: true,
      creates: { view: 'tokens' },
      title: (t) => t.identity.createToken,
      done: (t) => t.identity.tokenMadeTitle,
    },
    assignRole('service_user_id'),
    suspend('identity', {
      permission: 'service-users:write',
      when: ({ status }) => status === 'active',
      patch: { status: 'suspended' },
    }),
    reactivate('identity', {
      permission: 'service-users:write',
      when: ({ status }) => status === 'suspended',
      patch: { status: 'active' },
    }),
  ],
})

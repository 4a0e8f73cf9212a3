import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import type { ServiceUser } from '../api/generated/types.ts'
import { defineView } from '../resource/define-view.ts'
import { resources } from '../resource/resources.ts'

export const serviceUsers = defineView<ServiceUser>({
  resource: resources['service-users'],
  columns: ['name', 'status', 'description', 'last_used_at', { field: 'created_at', isExtra: true }],
  order: 'name.asc',
  filters: [{ field: 'status', kind: 'values', values: ['active', 'suspended'] }],
  form: [{ fields: ['name', 'description', 'external_id'] }],
  detail: {
    badges: ['status'],
    sections: [{ facts: ['description', 'last_used_at', 'external_id'] }],
    tabs: [
      { key: 'tokens', view: 'tokens', isNested: true },
      { key: 'roles', view: 'role-assignments', by: 'service_user_id' },
    ],
  },
  actions: [
    {
      name: 'suspend',
      label: (t) => t.identity.suspend,
      icon: IconPlayerPause,
      permission: 'service-users:write',
      when: ({ status }) => status === 'active',
      isDangerous: true,
      title: (t, name) => t.identity.suspendTitle(name),
      text: (t) => t.identity.suspendText,
      done: (t, name) => t.identity.suspended(name),
      patch: { status: 'suspended' },
    },
    {
      name: 'reactivate',
      label: (t) => t.identity.reactivate,
      icon: IconPlayerPlay,
      permission: 'service-users:write',
      when: ({ status }) => status === 'suspended',
      isPrimary: true,
      title: (t) => `${t.identity.reactivate}?`,
      done: (t, name) => t.identity.reactivated(name),
      patch: { status: 'active' },
    },
  ],
})

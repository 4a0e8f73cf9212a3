import { IconPlayerPause, IconPlayerPlay, IconTicket, IconUserShield } from '@tabler/icons-react'
import type { ServiceUser } from '../api/generated/types.ts'
import { defineView } from '../resource/define-view.ts'
import { resources } from '../resource/resources.ts'
import { RolesOf } from './role-assignments.tsx'

export const serviceUsers = defineView<ServiceUser>({
  resource: resources['service-users'],
  columns: [
    'name',
    'status',
    { key: 'roles', title: (t) => t.resources['role-assignments'].many, render: ({ id }) => <RolesOf by="service_user_id" id={id} /> },
    'description',
    'last_used_at',
    { field: 'created_at', isExtra: true },
  ],
  order: 'name.asc',
  filters: [{ field: 'status', kind: 'values', values: ['active', 'suspended'] }],
  form: [{ fields: ['name', 'description', 'external_id'] }],
  detail: {
    badges: ['status'],
    sections: [
      {
        facts: [
          'description',
          {
            key: 'roles',
            title: (t) => t.resources['role-assignments'].many,
            render: ({ id }) => <RolesOf by="service_user_id" id={id} />,
          },
          'last_used_at',
          'external_id',
        ],
      },
    ],
    tabs: [
      { key: 'tokens', view: 'tokens', isNested: true, isCreatedAbove: true, isGlimpsed: true },
      { key: 'roles', view: 'role-assignments', by: 'service_user_id', isCreatedAbove: true, isGlimpsed: true },
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
    {
      name: 'assign-role',
      label: (t) => t.identity.assignRole,
      icon: IconUserShield,
      permission: 'role-assignments:write',
      isPrimary: true,
      creates: { view: 'role-assignments', by: 'service_user_id' },
      title: (t) => t.identity.assignRole,
      done: (t) => t.identity.roleAssigned,
    },
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
      title: (t, name) => t.identity.reactivateTitle(name),
      text: (t) => t.identity.reactivateText,
      done: (t, name) => t.identity.reactivated(name),
      patch: { status: 'active' },
    },
  ],
})

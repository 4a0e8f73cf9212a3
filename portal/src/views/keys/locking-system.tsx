import type { LockingSystem } from '../../api/generated/types.ts'
import { defineView } from '../../resource/define-view.ts'
import { resources } from '../../resource/resources.ts'
import { PlanTab } from '../plan/plan-tab.tsx'
import { CardDate } from './due-date.tsx'

const card = {
  field: 'security_card_expires_on',
  render: ({ security_card_expires_on: day, status }: LockingSystem) => (
    <CardDate day={day} isRetired={status === 'retired'} />
  ),
} as const

export const lockingSystem = defineView<LockingSystem>({
  resource: resources['locking-system'],
  columns: [
    'name',
    'status',
    { field: 'number', isExtra: true },
    'manufacturer',
    { field: 'product', isExtra: true },
    { field: 'kind', isExtra: true },
    { field: 'hierarchy', isExtra: true },
    { field: 'location_id', isExtra: true },
    { field: 'building_id', isExtra: true },
    { ...card, title: (t) => t.locking.cardUntil },
    'cylinder_count',
    'key_count',
    'keys_issued_count',
    'keys_lost_count',
    { field: 'installed_on', isExtra: true },
    { field: 'external_id', isExtra: true },
  ],
  order: 'name.asc',
  labels: (t) => ({ keys_issued_count: t.locking.issuedShort, keys_lost_count: t.locking.lostShort }),
  filters: [
    { field: 'status', kind: 'values', values: ['planned', 'active', 'retired'] },
    { field: 'kind', kind: 'values', values: ['mechanical', 'mechatronic', 'electronic', 'mixed'] },
    { field: 'manufacturer', kind: 'text' },
    { field: 'location_id', kind: 'reference' },
    { field: 'building_id', kind: 'reference' },
    { field: 'security_card_expires_on', kind: 'period' },
  ],
  startsInOwnPlace: true,
  form: [
    {
      fields: [
        'name',
        { field: 'number', hint: (t) => t.locking.systemNumberHint, isHalf: true },
        { field: 'status', isHalf: true },
        { field: 'manufacturer', isHalf: true },
        { field: 'product', isHalf: true },
        { field: 'kind', isHalf: true },
        { field: 'hierarchy', isHalf: true },
      ],
    },
    { title: (t) => t.locking.where, fields: ['location_id', 'building_id'] },
    {
      title: (t) => t.locking.securityCard,
      text: (t) => t.locking.securityCardText,
      fields: [
        { field: 'security_card_number', isHalf: true },
        { field: 'security_card_expires_on', isHalf: true },
      ],
    },
    {
      title: (t) => t.locking.more,
      fields: [{ field: 'installed_on', isHalf: true }, { field: 'external_id', isHalf: true }, 'description'],
    },
  ],
  detail: {
    badges: ['status'],
    subtitle: ({ manufacturer, product, number }) => [manufacturer, product, number].filter(Boolean).join(' · '),
    sections: [
      { look: 'figures', facts: ['cylinder_count', 'key_count', 'keys_issued_count', 'keys_lost_count'] },
      {
        facts: [
          'kind',
          'hierarchy',
          'security_card_number',
          card,
          'location_id',
          'building_id',
          'installed_on',
          'external_id',
          'description',
        ],
      },
    ],
    tabs: [
      {
        key: 'plan',
        title: (t) => t.locking.plan,
        permission: 'key-types:read',
        render: ({ id }) => <PlanTab systemId={id} />,
      },
      { key: 'cylinders', view: 'cylinders', by: 'locking_system_id' },
      { key: 'key-types', view: 'key-types', by: 'locking_system_id' },
      { key: 'keys', view: 'keys', by: 'locking_system_id' },
    ],
  },
})

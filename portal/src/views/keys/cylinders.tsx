import type { Cylinder } from '../../api/generated/types.ts'
import { defineView } from '../../resource/define-view.ts'
import { ItemPath } from '../../resource/item-hint.tsx'
import { resources } from '../../resource/resources.ts'
import { OpeningKeyTypes } from '../plan/plan-lists.tsx'

/** Only what is built in sits in a door. */
const isInDoor = ({ status }: Record<string, unknown>) => status === 'installed' || status === 'defective'

export const cylinders = defineView<Cylinder>({
  resource: resources.cylinders,
  columns: [
    'number',
    'label',
    'status',
    'access_point_id',
    'locking_system_id',
    'type',
    { field: 'outside_mm', isExtra: true, align: 'right' },
    { field: 'inside_mm', isExtra: true, align: 'right' },
    { field: 'installed_at', isExtra: true },
    { field: 'external_id', isExtra: true },
  ],
  order: 'number.asc',
  filters: [
    { field: 'status', kind: 'values', values: ['ordered', 'in_stock', 'installed', 'defective', 'retired'] },
    { field: 'locking_system_id', kind: 'reference' },
    { field: 'access_point_id', kind: 'reference' },
    { field: 'type', kind: 'values', values: ['double', 'half', 'knob', 'padlock', 'cam', 'furniture'] },
  ],
  form: [
    {
      fields: [
        'locking_system_id',
        { field: 'number', hint: (t) => t.locking.cylinderNumberHint, isHalf: true },
        { field: 'label', isHalf: true },
        { field: 'type', isHalf: true },
        { field: 'status', isHalf: true, sets: (status) => (isInDoor({ status }) ? {} : { access_point_id: null }) },
        {
          field: 'access_point_id',
          hint: (t) => t.locking.doorHint,
          sets: (door) => ({ status: door ? 'installed' : 'in_stock' }),
        },
        { field: 'installed_at', when: isInDoor },
        { field: 'outside_mm', isHalf: true },
        { field: 'inside_mm', isHalf: true },
        'external_id',
      ],
    },
  ],
  initial: { status: 'in_stock' },
  detail: {
    badges: ['status'],
    subtitle: (cylinder) => <ItemPath resource={resources.cylinders} item={cylinder} />,
    sections: [
      {
        facts: [
          'access_point_id',
          'installed_at',
          'locking_system_id',
          'type',
          'outside_mm',
          'inside_mm',
          'label',
          'external_id',
        ],
      },
    ],
    tabs: [
      {
        key: 'key-types',
        title: (t) => t.locking.openedBy,
        permission: 'key-types:read',
        render: (cylinder) => <OpeningKeyTypes cylinder={cylinder} />,
      },
    ],
  },
})

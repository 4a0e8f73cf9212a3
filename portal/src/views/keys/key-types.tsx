import type { KeyType } from '../../api/generated/types.ts'
import { defineView } from '../../resource/define-view.ts'
import { ItemPath } from '../../resource/item-hint.tsx'
import { resources } from '../../resource/resources.ts'
import { OpenedCylinders } from '../plan/plan-lists.tsx'

export const keyTypes = defineView<KeyType>({
  resource: resources['key-types'],
  columns: [
    'code',
    'name',
    'locking_system_id',
    'parent_id',
    'key_count',
    'keys_issued_count',
    { field: 'external_id', isExtra: true },
    { field: 'created_at', isExtra: true },
  ],
  order: 'code.asc',
  labels: (t) => ({ parent_id: t.locking.above }),
  filters: [
    { field: 'locking_system_id', kind: 'reference' },
    { field: 'parent_id', kind: 'reference' },
  ],
  form: [
    {
      fields: [
        'locking_system_id',
        { field: 'code', hint: (t) => t.locking.codeHint, isHalf: true },
        { field: 'name', isHalf: true },
        {
          field: 'parent_id',
          hint: (t) => t.locking.aboveHint,
          among: ({ locking_system_id: system }): Record<string, string> =>
            system ? { locking_system_id: `eq.${system}` } : {},
        },
        'external_id',
      ],
    },
  ],
  detail: {
    subtitle: (type) => <ItemPath resource={resources['key-types']} item={type} />,
    sections: [{ facts: ['key_count', 'keys_issued_count', 'locking_system_id', 'parent_id', 'external_id'] }],
    tabs: [
      { key: 'keys', view: 'keys', by: 'key_type_id', glimpse: ['key_type_code', 'status', 'individual_id'] },
      {
        key: 'opens',
        title: (t) => t.locking.opens,
        permission: 'cylinders:read',
        render: (type) => <OpenedCylinders type={type} />,
      },
      {
        key: 'below',
        title: (t) => t.locking.below,
        view: 'key-types',
        by: 'parent_id',
        also: ({ locking_system_id }) => ({ locking_system_id }),
      },
    ],
  },
})

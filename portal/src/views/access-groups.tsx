import { MembersOf } from '../access/memberships-of.tsx'
import type { AccessGroup } from '../api/generated/types.ts'
import { defineView } from '../resource/define-view.ts'
import { resources } from '../resource/resources.ts'

export const accessGroups = defineView<AccessGroup>({
  resource: resources['access-groups'],
  columns: ['name', 'description', 'member_count', { field: 'external_id', isExtra: true }, { field: 'created_at', isExtra: true }],
  order: 'name.asc',
  form: [{ fields: ['name', 'description', 'external_id'] }],
  detail: {
    subtitle: ({ description }) => description,
    sections: [{ facts: ['member_count', 'external_id'] }],
    tabs: [
      {
        key: 'members',
        title: (t) => t.resources['access-group-members'].many,
        count: ({ member_count: count }) => count,
        render: ({ id }) => <MembersOf groupId={id} />,
      },
      { key: 'grants', view: 'access-grants', by: 'access_group_id', glimpse: ['what', 'effect', 'status'] },
    ],
  },
})

import { MembersOf } from '../access/memberships-of.tsx'
import type { AccessGroup } from '../api/generated/types.ts'
import { defineView } from '../resource/define-view.ts'
import { resources } from '../resource/resources.ts'

export const accessGroups = defineView<AccessGroup>({
  resource: resources['access-groups'],
  columns: [
    'name',
    'description',
    'member_count',
    { field: 'building_id', isExtra: true },
    { field: 'location_id', isExtra: true },
    { field: 'external_id', isExtra: true },
    { field: 'created_at', isExtra: true },
  ],
  order: 'name.asc',
  filters: [
    { field: 'building_id', kind: 'reference' },
    { field: 'location_id', kind: 'reference' },
  ],
  startsInOwnPlace: true,
  form: [
    { fields: ['name', 'description', 'external_id'] },
    {
      title: (t) => t.people.belongs,
      text: (t) => t.people.belongsHint,
      fields: [
        { field: 'building_id', isHalf: true },
        { field: 'location_id', isHalf: true },
      ],
    },
  ],
  detail: {
    subtitle: ({ description }) => description,
    sections: [{ facts: ['member_count', 'building_id', 'location_id', 'external_id'] }],
    tabs: [
      {
        key: 'members',
        title: (t) => t.resources['access-group-members'].many,
        count: ({ member_count: count }) => count,
        render: (group) => <MembersOf group={group} />,
      },
      { key: 'grants', view: 'access-grants', by: 'access_group_id', glimpse: ['what', 'effect', 'status'] },
    ],
  },
})

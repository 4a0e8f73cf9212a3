import type { Building } from '../api/generated/types.ts'
import { defineView } from '../resource/define-view.ts'
import { resources } from '../resource/resources.ts'

export const buildings = defineView<Building>({
  resource: resources.buildings,
  columns: [
    'name',
    'slug',
    'location_id',
    'parent_id',
    'address',
    { field: 'time_zone', isExtra: true },
    { field: 'external_id', isExtra: true },
    { field: 'created_at', isExtra: true },
  ],
  order: 'name.asc',
  filters: [
    { field: 'location_id', kind: 'reference' },
    { field: 'parent_id', kind: 'reference' },
  ],
  form: [
    {
      fields: [
        'name',
        { field: 'location_id', isHalf: true },
        { field: 'parent_id', isHalf: true },
        { field: 'slug', isHalf: true },
        { field: 'time_zone', isHalf: true },
        'address',
        'external_id',
      ],
    },
  ],
  detail: {
    sections: [{ facts: ['location_id', 'parent_id', 'slug', 'address', 'time_zone', 'external_id'] }],
    tabs: [
      { key: 'spaces', view: 'spaces', by: 'building_id' },
      { key: 'wings', title: (t) => t.estate.wings, view: 'buildings', by: 'parent_id' },
    ],
  },
})

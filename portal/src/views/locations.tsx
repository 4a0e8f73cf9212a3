import type { Location } from '../api/generated/types.ts'
import { defineView } from '../resource/define-view.ts'
import { resources } from '../resource/resources.ts'
import { PlacesPage } from './places/places-page.tsx'
import { move } from './shared-actions.ts'

export const locations = defineView<Location>({
  resource: resources.locations,
  columns: [
    'name',
    'slug',
    'parent_id',
    'address',
    { field: 'time_zone', isExtra: true },
    { field: 'external_id', isExtra: true },
    { field: 'created_at', isExtra: true },
  ],
  order: 'name.asc',
  filters: [{ field: 'parent_id', kind: 'reference' }],
  form: [
    {
      fields: [
        'name',
        { field: 'parent_id', hint: (t) => t.estate.locationAboveHint },
        { field: 'slug', isHalf: true },
        { field: 'time_zone', hint: (t) => t.estate.timeZoneHint, isHalf: true },
        'address',
        { field: 'latitude', isHalf: true },
        { field: 'longitude', isHalf: true },
        'external_id',
      ],
    },
  ],
  detail: {
    sections: [{ facts: ['parent_id', 'slug', 'address', 'time_zone', 'latitude', 'longitude', 'external_id'] }],
    tabs: [
      {
        key: 'buildings',
        view: 'buildings',
        by: 'location_id',
        within: 'within_location',
        glimpse: ['name', 'parent_id', 'address'],
      },
      { key: 'below', title: (t) => t.estate.below, view: 'locations', by: 'parent_id', glimpse: ['name', 'slug'] },
      { key: 'spaces', view: 'spaces', by: 'location_id' },
      {
        key: 'systems',
        view: 'access-control-systems',
        by: 'location_id',
        within: 'within_location',
        glimpse: ['name', 'status'],
      },
      {
        key: 'locking',
        view: 'locking-system',
        by: 'location_id',
        within: 'within_location',
        glimpse: ['name', 'status'],
      },
      {
        key: 'grants',
        view: 'access-grants',
        by: 'location_id',
        within: 'within_location',
        glimpse: ['who', 'effect', 'status'],
      },
    ],
  },
  actions: [
    move({
      permission: 'locations:write',
      form: { body: 'LocationPatch', sections: [{ fields: ['parent_id'] }], isChange: true },
    }),
  ],
  ListPage: PlacesPage,
})

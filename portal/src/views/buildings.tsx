import type { Building } from '../api/generated/types.ts'
import { liveWords } from '../i18n/live-words.ts'
import { planWords } from '../i18n/plan-words.ts'
import { defineView, type FormSection } from '../resource/define-view.ts'
import { ItemPath } from '../resource/item-hint.tsx'
import { resources } from '../resource/resources.ts'
import { MusterList } from './emergency/muster-list.tsx'
import { FloorPlans } from './floor-plans/floor-plans.tsx'
import { move } from './shared-actions.ts'

/** A wing stands where its building stands. */
const wingOf = {
  field: 'parent_id',
  hint: (t) => t.estate.wingHint,
  among: ({ location_id: location }): Record<string, string> => (location ? { location_id: `eq.${location}` } : {}),
} satisfies FormSection['fields'][number]

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
        'location_id',
        wingOf,
        { field: 'slug', isHalf: true },
        { field: 'time_zone', hint: (t) => t.estate.timeZoneHint, isHalf: true },
        'address',
        'external_id',
      ],
    },
  ],
  detail: {
    subtitle: (building) => <ItemPath resource={resources.buildings} item={building} />,
    sections: [{ facts: ['location_id', 'parent_id', 'slug', 'address', 'time_zone', 'external_id'] }],
    tabs: [
      { key: 'spaces', view: 'spaces', by: 'building_id' },
      { key: 'access-points', view: 'access-points', by: 'building_id', within: 'within_building' },
      {
        key: 'plans',
        title: (t) => planWords(t).many,
        permission: 'floor-plans:read',
        render: ({ id }) => <FloorPlans buildingId={id} />,
      },
      {
        key: 'wings',
        title: (t) => t.estate.wings,
        view: 'buildings',
        by: 'parent_id',
        also: ({ location_id }) => ({ location_id }),
        glimpse: ['name', 'slug'],
      },
      {
        key: 'locking',
        view: 'locking-system',
        by: 'building_id',
        within: 'within_building',
        glimpse: ['name', 'status'],
      },
      {
        key: 'muster',
        title: (t) => liveWords(t).muster,
        permission: 'presence:read',
        render: ({ id }) => <MusterList id={id} />,
      },
      {
        key: 'grants',
        view: 'access-grants',
        by: 'building_id',
        within: 'within_building',
        glimpse: ['who', 'effect', 'status'],
      },
    ],
  },
  actions: [
    move({
      permission: 'buildings:write',
      form: { body: 'BuildingPatch', sections: [{ fields: ['location_id', wingOf] }], isChange: true },
    }),
  ],
})

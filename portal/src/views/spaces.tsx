import { Link } from '@tanstack/react-router'
import { WhoCanEnter } from '../access/openings.tsx'
import { OpeningsLink } from '../access/openings-link.tsx'
import type { Space } from '../api/generated/types.ts'
import { useMay } from '../api/me.ts'
import { defineView } from '../resource/define-view.ts'
import { Unseen } from '../resource/reference.tsx'
import { pathTo, resources } from '../resource/resources.ts'
import { Value } from '../resource/shown/value.tsx'

/** A number that is not there is not for this person to know. */
const count = (key: keyof Space['summary']) => (space: Space) =>
  space.summary[key] === null ? (
    <Unseen />
  ) : (
    <Value field={key} value={space.summary[key]} resource={resources.spaces} />
  )

/** Leads to which they are, where that can be seen. */
function Doors({ space }: { space: Space }) {
  const may = useMay()
  const shown = count('total_access_points')(space)
  if (space.summary.total_access_points === null || !may(resources['access-points'].read)) return shown
  return (
    <Link to={pathTo(resources.spaces, space.id) ?? '/'} search={{ tab: 'access-points' }} className="reference">
      {shown}
    </Link>
  )
}
const doors = (space: Space) => <Doors space={space} />

const people = (space: Space) => (
  <OpeningsLink question="space" id={space.id}>
    {count('total_individuals')(space)}
  </OpeningsLink>
)

export const spaces = defineView<Space>({
  resource: resources.spaces,
  columns: [
    'name',
    'slug',
    'building',
    'location',
    'department',
    { field: 'area', isExtra: true },
    { key: 'doors', title: (t) => t.estate.doors, render: doors, align: 'right' },
    { key: 'people', title: (t) => t.estate.whoGetsIn, render: people, align: 'right' },
    {
      key: 'systems',
      title: (t) => t.estate.systems,
      render: count('total_access_control_systems'),
      align: 'right',
      isExtra: true,
    },
  ],
  filters: [
    { field: 'location_id', kind: 'reference' },
    { field: 'building_id', kind: 'reference' },
  ],
  startsInOwnPlace: true,
  form: [
    {
      fields: [
        'name',
        'building_id',
        { field: 'slug', isHalf: true },
        { field: 'floor', isHalf: true },
        { field: 'department', isHalf: true },
        { field: 'area', isHalf: true },
        'description',
        'external_id',
      ],
    },
    {
      title: (t) => t.estate.whoIsIn,
      fields: [
        { field: 'occupancy_limit', isHalf: true },
        { field: 'passback', isHalf: true },
        { field: 'passback_minutes', when: ({ passback }) => passback === 'timed' },
      ],
    },
  ],
  detail: {
    subtitle: (space) => `${space.location} · ${space.building}`,
    sections: [
      {
        look: 'figures',
        facts: [
          { key: 'doors', title: (t) => t.estate.doors, render: doors },
          { key: 'people', title: (t) => t.estate.whoGetsIn, render: people },
          { key: 'credentials', title: (t) => t.estate.usableCredentials, render: count('total_access_credentials') },
          { key: 'systems', title: (t) => t.estate.systems, render: count('total_access_control_systems') },
        ],
      },
      {
        facts: [
          'building_id',
          'location_id',
          'floor',
          'slug',
          'department',
          'area',
          'occupancy_limit',
          'passback',
          'passback_minutes',
          'time_zone',
          'external_id',
          'description',
        ],
      },
    ],
    tabs: [
      { key: 'access-points', view: 'access-points', by: 'space_id', glimpse: ['name', 'mode', 'connectivity'] },
      {
        key: 'who',
        title: (t) => t.people.whoGetsIn,
        permission: 'access-points:audience',
        render: ({ id }) => <WhoCanEnter id={id} />,
      },
      { key: 'grants', view: 'access-grants', by: 'space_id', glimpse: ['who', 'effect', 'status'] },
    ],
  },
})

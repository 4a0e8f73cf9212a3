import { WhoCanOpen } from '../access/openings.tsx'
import type { AccessPoint } from '../api/generated/types.ts'
import { liveWords } from '../i18n/live-words.ts'
import { defineView } from '../resource/define-view.ts'
import { ItemPath } from '../resource/item-hint.tsx'
import { resources } from '../resource/resources.ts'
import { LiveDoor } from './doors/live-door.tsx'
import { Alarms, Axis } from './doors/states.tsx'

export const accessPoints = defineView<AccessPoint>({
  resource: resources['access-points'],
  columns: [
    'name',
    'label',
    // Before what gives way where there is little room: every campus has a door of this name.
    'building_id',
    {
      key: 'alarms',
      title: (t) => t.estate.axes.alarms,
      render: ({ state }) => <Alarms alarms={state.alarms.value} />,
    },
    {
      key: 'mode',
      title: (t) => t.estate.axes.mode,
      render: ({ state }) => <Axis axis="mode" value={state.mode.value} />,
    },
    'connectivity',
    {
      key: 'lock_state',
      title: (t) => t.estate.axes.lock_state,
      render: ({ state }) => <Axis axis="lock_state" value={state.lock_state.value} />,
      isExtra: true,
    },
    {
      key: 'position',
      title: (t) => t.estate.axes.position,
      render: ({ state }) => <Axis axis="position" value={state.position.value} />,
      isExtra: true,
    },
    { field: 'space_id', title: (t) => t.estate.leadsInto },
    { field: 'kind', isExtra: true },
    { field: 'floor', isExtra: true },
    { field: 'access_control_system_id', isExtra: true },
    { field: 'emergency_exit', isExtra: true },
    { field: 'manufacturer', isExtra: true },
    { field: 'model', isExtra: true },
    { field: 'created_at', isExtra: true },
  ],
  order: 'name.asc',
  labels: (t) => ({ space_id: t.estate.leadsInto, from_space_id: t.estate.leadsFrom }),
  filters: [
    { field: 'building_id', kind: 'reference' },
    { field: 'space_id', kind: 'reference' },
    { field: 'in_alarm', kind: 'boolean' },
    { field: 'needs_service', kind: 'boolean' },
    { field: 'connectivity', kind: 'values', values: ['online', 'offline', 'never_connected', 'unsupervised'] },
    {
      field: 'kind',
      kind: 'values',
      values: ['door', 'gate', 'barrier', 'turnstile', 'elevator', 'locker', 'cabinet', 'window'],
    },
    { field: 'access_control_system_id', kind: 'reference' },
    { field: 'unlock_schedule_id', kind: 'reference' },
    { field: 'emergency_exit', kind: 'boolean' },
  ],
  form: [
    {
      fields: [
        'name',
        { field: 'label', hint: (t) => t.estate.labelHint, isHalf: true },
        { field: 'kind', isHalf: true },
        {
          field: 'space_id',
          among: ({ building_id: building }): Record<string, string> =>
            building ? { building_id: String(building) } : {},
        },
        { field: 'from_space_id', hint: (t) => t.estate.leadsFromHint },
        { field: 'floor', isHalf: true },
        { field: 'emergency_exit', isHalf: true },
      ],
    },
    {
      title: (t) => t.estate.electronics,
      text: (t) => t.estate.electronicsText,
      fields: [
        'access_control_system_id',
        { field: 'direction', isHalf: true },
        { field: 'unlock_schedule_id', isHalf: true, hint: (t) => t.estate.unlockHint },
        { field: 'first_person_in', when: ({ unlock_schedule_id: schedule }) => Boolean(schedule) },
        { field: 'unlock_seconds', isHalf: true, hint: (t) => t.estate.unlockTimeHint },
        { field: 'held_open_seconds', isHalf: true, hint: (t) => t.estate.heldOpenHint },
        { field: 'manufacturer', isHalf: true },
        { field: 'model', isHalf: true },
      ],
    },
    { title: (t) => t.estate.more, fields: ['description', 'external_id'] },
  ],
  detail: {
    badges: ['connectivity'],
    subtitle: (point) => <ItemPath resource={resources['access-points']} item={point} />,
    lead: (point) => <LiveDoor point={point} />,
    sections: [
      {
        facts: [
          'space_id',
          'from_space_id',
          'building_id',
          'kind',
          'label',
          'floor',
          'emergency_exit',
          'access_control_system_id',
          'direction',
          'unlock_schedule_id',
          'first_person_in',
          'unlock_seconds',
          'held_open_seconds',
          'manufacturer',
          'model',
          'external_id',
          'description',
        ],
      },
    ],
    tabs: [
      {
        key: 'events',
        title: (t) => liveWords(t).lastEvents,
        view: 'access-events',
        by: 'access_point_id',
        glimpse: ['occurred_at', 'type', 'person', 'reason'],
      },
      {
        key: 'who',
        title: (t) => t.people.whoGetsIn,
        permission: 'access-points:audience',
        render: ({ id }) => <WhoCanOpen id={id} />,
      },
      {
        key: 'cylinders',
        view: 'cylinders',
        by: 'access_point_id',
        also: () => ({ status: 'installed' }),
        glimpse: ['number', 'status', 'locking_system_id'],
      },
      { key: 'commands', view: 'commands', by: 'access_point_id' },
      { key: 'alarms', view: 'alarms', by: 'access_point_id' },
      { key: 'grants', view: 'access-grants', by: 'access_point_id', glimpse: ['who', 'effect', 'status'] },
    ],
  },
})

import { Text } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import type { Alarm } from '../../api/generated/types.ts'
import { useWords } from '../../i18n/language.tsx'
import { liveWords } from '../../i18n/live-words.ts'
import { type ActionDef, defineView } from '../../resource/define-view.ts'
import { Located } from '../../resource/located.tsx'
import { resources } from '../../resource/resources.ts'
import { ToneBadge, wordFor } from '../../resource/shown/status-badge.tsx'
import { Nothing } from '../../resource/shown/value.tsx'

const tones = { open: 'bad', acknowledged: 'warning', closed: 'over' } as const

export function AlarmStatus({ status }: { status: Alarm['status'] }) {
  const t = useWords()
  return <ToneBadge tone={tones[status]}>{wordFor(t.values, 'status', status)}</ToneBadge>
}

/** The door, or the system that is away. */
export function AlarmPlace({ alarm: { access_point_id: door, access_control_system_id: system } }: { alarm: Alarm }) {
  if (door) return <Located end={{ resource: resources['access-points'], id: door }} />
  if (system) return <Located end={{ resource: resources['access-control-systems'], id: system }} />
  return <Nothing />
}

/** Which one it is about. */
function Meant({ alarm }: { alarm: Alarm }) {
  const t = useWords()
  return (
    <Text size="sm">
      <b>{wordFor(t.values, 'kind', alarm.kind)}</b> <AlarmPlace alarm={alarm} />
    </Text>
  )
}

const details = (alarm: Alarm) => <Meant alarm={alarm} />
const form: ActionDef<Alarm>['form'] = { body: 'AlarmNote', sections: [{ fields: ['note'] }] }

export const alarms = defineView<Alarm>({
  resource: resources.alarms,
  columns: [
    'kind',
    { field: 'status', render: ({ status }) => <AlarmStatus status={status} /> },
    {
      key: 'place',
      title: (t) => t.fields.access_point_id,
      render: (alarm) => <AlarmPlace alarm={alarm} />,
      madeOf: ['access_point_id'],
    },
    'raised_at',
    'last_raised_at',
    'event_count',
    'acknowledged_by',
    // Its door is told by where it is.
    { field: 'building_id', isExtra: true },
    { field: 'note', isExtra: true },
    { field: 'individual_id', isExtra: true },
    { field: 'ended_at', isExtra: true },
    { field: 'closed_at', isExtra: true },
    { field: 'closed_by', isExtra: true },
  ],
  order: 'last_raised_at.desc',
  filters: [
    { field: 'status', kind: 'values', values: ['open', 'acknowledged', 'closed'] },
    {
      field: 'kind',
      kind: 'values',
      values: ['forced_open', 'held_open_too_long', 'tamper', 'duress', 'unexpected_grant', 'system_offline'],
    },
    { field: 'access_point_id', kind: 'reference' },
    { field: 'building_id', kind: 'reference' },
    { field: 'raised_at', kind: 'period' },
  ],
  detail: {
    title: ({ kind }, t) => wordFor(t.values, 'kind', kind),
    badge: ({ status }) => <AlarmStatus status={status} />,
    sections: [
      {
        facts: [
          { key: 'place', title: (t) => t.fields.access_point_id, render: (alarm) => <AlarmPlace alarm={alarm} /> },
          'building_id',
          'individual_id',
          'raised_at',
          'last_raised_at',
          'event_count',
          'ended_at',
          'acknowledged_at',
          'acknowledged_by',
          'note',
          'closed_at',
          'closed_by',
        ],
      },
    ],
  },
  actions: [
    {
      name: 'acknowledge',
      label: (t) => liveWords(t).acknowledge,
      icon: IconCheck,
      permission: 'alarms:acknowledge',
      when: ({ status }) => status === 'open',
      isPrimary: true,
      title: (t) => liveWords(t).acknowledgeTitle,
      text: (t) => liveWords(t).acknowledgeText,
      details,
      form,
      done: (t) => liveWords(t).acknowledged,
    },
    {
      name: 'close',
      label: (t) => liveWords(t).close,
      icon: IconX,
      permission: 'alarms:acknowledge',
      when: ({ status }) => status !== 'closed',
      title: (t) => liveWords(t).closeTitle,
      text: (t) => liveWords(t).closeText,
      confirm: (t) => liveWords(t).closeButton,
      details,
      form,
      done: (t) => liveWords(t).closed,
    },
  ],
})

import type { AccessEvent } from '../../api/generated/types.ts'
import { useWords } from '../../i18n/language.tsx'
import { liveWords } from '../../i18n/live-words.ts'
import { type ColumnDef, defineView } from '../../resource/define-view.ts'
import { type End, Located } from '../../resource/located.tsx'
import { Reference } from '../../resource/reference.tsx'
import { resources } from '../../resource/resources.ts'
import { wordFor } from '../../resource/shown/status-badge.tsx'
import { Nothing, Value } from '../../resource/shown/value.tsx'
import { EventType } from './event-type.tsx'

const TYPES: ReadonlyArray<AccessEvent['type']> = [
  'access.granted',
  'access.denied',
  'access.taken',
  'access.not_taken',
  'access.duress',
  'door.opened',
  'door.closed',
  'door.forced',
  'door.held_open',
  'door.exit_requested',
  'door.blocked',
  'door.released',
  'door.tampered',
  'door.tamper_ended',
  'door.battery_low',
  'door.battery_ok',
  'door.fault',
  'door.fault_ended',
  'door.online',
  'door.offline',
  'lock.locked',
  'lock.unlocked',
  'lock.jammed',
  'system.online',
  'system.offline',
  'system.tampered',
  'system.tamper_ended',
  'system.power_lost',
  'system.power_restored',
  'system.restarted',
  'system.clock_set',
  'alarm.raised',
]

/** Whose card it was, or what the reader read where nobody has it. */
function EventPerson({ event }: { event: AccessEvent }) {
  const t = useWords()
  if (event.individual_id) {
    return <Reference to={resources.individuals} id={event.individual_id} kind={t.resources.individuals.one} />
  }
  return event.credential_number ? liveWords(t).unknownCard(event.credential_number) : <Nothing />
}

/** Where it happened: a door, or the system itself. */
export function placeOf({ access_point_id: door, access_control_system_id: system }: AccessEvent): End | undefined {
  const id = door ?? system
  return id ? { resource: resources[door ? 'access-points' : 'access-control-systems'], id } : undefined
}

function EventPlace({ event }: { event: AccessEvent }) {
  const end = placeOf(event)
  return end ? <Located end={end} /> : <Nothing />
}

/** Of a door that fell shut the rules say nothing. */
const verdict: ColumnDef<AccessEvent> = {
  field: 'verdict',
  isUnsortable: true,
  render: ({ verdict: value, result }) =>
    value === 'unknown' && result === null ? (
      <Nothing />
    ) : (
      <Value field="verdict" value={value} resource={resources['access-events']} />
    ),
}

export const accessEvents = defineView<AccessEvent>({
  resource: resources['access-events'],
  columns: [
    'occurred_at',
    { field: 'type', render: ({ type }) => <EventType type={type} /> },
    {
      key: 'place',
      title: (t) => t.fields.access_point_id,
      render: (event) => <EventPlace event={event} />,
      madeOf: ['access_point_id'],
    },
    {
      key: 'person',
      title: (t) => t.fields.individual_id,
      render: (event) => <EventPerson event={event} />,
      madeOf: ['individual_id'],
    },
    'reason',
    verdict,
    { field: 'result', isExtra: true },
    { field: 'direction', isExtra: true },
    { field: 'building_id', isExtra: true },
    { field: 'access_control_system_id', isExtra: true },
    { field: 'received_at', isExtra: true },
    { field: 'sequence', isExtra: true },
  ],
  order: 'sequence.desc',
  filters: [
    { field: 'type', kind: 'values', values: TYPES },
    { field: 'access_point_id', kind: 'reference' },
    { field: 'individual_id', kind: 'reference' },
    { field: 'result', kind: 'values', values: ['granted', 'denied'], none: (t) => liveWords(t).noDecision },
    { field: 'building_id', kind: 'reference' },
    { field: 'access_control_system_id', kind: 'reference' },
    { field: 'occurred_at', kind: 'period' },
    { field: 'received_at', kind: 'period' },
  ],
  detail: {
    title: ({ type }, t) => wordFor(t.values, 'type', type),
    sections: [
      {
        facts: [
          'occurred_at',
          'received_at',
          { key: 'place', title: (t) => t.fields.access_point_id, render: (event) => <EventPlace event={event} /> },
          'building_id',
          { key: 'person', title: (t) => t.fields.individual_id, render: (event) => <EventPerson event={event} /> },
          'credential_id',
          'result',
          'reason',
          'direction',
          verdict,
          { field: 'verdict_reason', render: (event) => <VerdictReason event={event} /> },
          'access_control_system_id',
          'sequence',
          'source_id',
        ],
      },
    ],
  },
})

function VerdictReason({ event: { verdict_reason: reason } }: { event: AccessEvent }) {
  const t = useWords()
  return reason === null ? <Nothing /> : wordFor(t.values, 'reason', reason)
}

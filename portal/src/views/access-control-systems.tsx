import { liveWords } from '../i18n/live-words.ts'
import { inWords } from '../typed.ts'
import { Health } from './systems/health.tsx'
import { Playground } from './systems/playground.tsx'
import './estate.css'
import { Alert, Text } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react'
import type { AccessControlSystem } from '../api/generated/types.ts'
import { useWords } from '../i18n/language.tsx'
import { defineView } from '../resource/define-view.ts'
import { SettingsList } from '../resource/inputs/settings-input.tsx'
import { isSeenInPart, resources } from '../resource/resources.ts'
import { Moment } from '../resource/shown/value.tsx'

export const accessControlSystems = defineView<AccessControlSystem>({
  resource: resources['access-control-systems'],
  columns: [
    'name',
    'status',
    { field: 'kind', title: (t) => t.estate.connector, render: ({ kind }) => <Connector kind={kind} /> },
    'vendor',
    { field: 'model', isExtra: true },
    'location_id',
    'access_point_count',
    'credential_count',
    'last_seen_at',
    { field: 'last_sync_at', isExtra: true },
    { field: 'time_zone', isExtra: true },
    { field: 'external_id', isExtra: true },
  ],
  order: 'name.asc',
  labels: (t) => ({ kind: t.estate.connector }),
  filters: [
    { field: 'status', kind: 'values', values: ['pending_setup', 'connected', 'degraded', 'disconnected', 'disabled'] },
    { field: 'kind', kind: 'text' },
    { field: 'vendor', kind: 'text' },
    { field: 'location_id', kind: 'reference' },
    { field: 'last_seen_at', kind: 'period' },
  ],
  form: [
    {
      fields: [
        'name',
        { field: 'kind', hint: (t) => t.estate.connectorHint, isHalf: true },
        { field: 'status', isHalf: true },
        { field: 'vendor', isHalf: true },
        { field: 'model', isHalf: true },
        { field: 'location_id', isHalf: true },
        { field: 'time_zone', hint: (t) => t.estate.timeZoneHint, isHalf: true },
        'description',
        'external_id',
      ],
    },
    { title: (t) => t.estate.connection, fields: [{ field: 'settings', hint: (t) => t.estate.settingsHint }] },
  ],
  detail: {
    badges: ['status'],
    subtitle: ({ vendor, model }) => [vendor, model].filter(Boolean).join(' '),
    lead: (system) => (
      <>
        <Notices system={system} />
        <Health system={system} />
      </>
    ),
    sections: [
      {
        facts: ['access_point_count', 'credential_count', 'last_seen_at', 'last_sync_at'],
      },
      {
        facts: [
          { field: 'kind', render: ({ kind }) => <Connector kind={kind} /> },
          'vendor',
          'model',
          'location_id',
          'time_zone',
          'external_id',
          'description',
        ],
      },
      {
        title: (t) => t.estate.connection,
        facts: [{ field: 'settings', render: ({ settings }) => settings && <SettingsList value={settings} /> }],
      },
    ],
    tabs: [
      {
        key: 'play',
        title: (t) => liveWords(t).play,
        permission: 'access-control-systems:simulate',
        when: (system) => system.kind === 'simulator' && !isSeenInPart(resources['access-control-systems'], system),
        render: ({ id }) => <Playground id={id} />,
      },
      {
        key: 'access-points',
        view: 'access-points',
        by: 'access_control_system_id',
      },
      { key: 'credentials', view: 'credentials', by: 'access_control_system_id' },
    ],
  },
})

/** The connectors that come with the service by name; any other as it was typed. */
function Connector({ kind }: { kind: string }) {
  const t = useWords()
  return inWords(t.estate.connectors, kind) ?? kind
}

/** What keeps it from working, and what should be looked at, in the system's own words. */
function Notices({ system: { errors = [], warnings = [] } }: { system: AccessControlSystem }) {
  const t = useWords()
  const notices = [
    ...errors.map((one) => ({ ...one, isError: true })),
    ...warnings.map((one) => ({ ...one, isError: false })),
  ]
  return notices.map(({ code, message, since, isError }) => (
    <Alert
      key={`${code} ${since}`}
      color={isError ? 'red' : 'yellow'}
      icon={isError ? <IconAlertCircle size={18} aria-hidden /> : <IconAlertTriangle size={18} aria-hidden />}
      title={message}
      className="notice"
    >
      <Text size="xs">
        <span className="code">{code}</span> · {t.estate.since} <Moment at={since} />
      </Text>
    </Alert>
  ))
}

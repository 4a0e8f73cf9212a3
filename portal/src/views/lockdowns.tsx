import { Anchor, Group, Text } from '@mantine/core'
import { IconLockOpen } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Lockdown } from '../api/generated/types.ts'
import { useMay } from '../api/me.ts'
import { useWords } from '../i18n/language.tsx'
import { liveWords } from '../i18n/live-words.ts'
import { timesWords } from '../i18n/times-words.ts'
import { defineView, type FormFieldDef } from '../resource/define-view.ts'
import { Located } from '../resource/located.tsx'
import { type Noun, resources } from '../resource/resources.ts'
import { ToneBadge, wordFor } from '../resource/shown/status-badge.tsx'
import { inWords, keysOf } from '../typed.ts'
import { DoorsConcerned } from './emergency/doors-concerned.tsx'

const PLACES = {
  building_id: 'buildings',
  location_id: 'locations',
  space_id: 'spaces',
  access_point_id: 'access-points',
} as const
const places = keysOf(PLACES)

function Where({ lockdown }: { lockdown: Lockdown }) {
  const t = useWords()
  const field = places.find((one) => lockdown[one] !== null)
  if (!field) return timesWords(t).everywhere
  const noun: Noun = PLACES[field]
  return <Located end={{ resource: resources[noun], id: lockdown[field] ?? '' }} />
}

/** What is in force in an emergency is no good news; a drill touches no door. */
function Standing({ lockdown: { status, kind } }: { lockdown: Lockdown }) {
  const t = useWords()
  const tone = status !== 'active' ? 'over' : kind === 'drill' ? 'info' : 'bad'
  return <ToneBadge tone={tone}>{wordFor(t.values, 'status', status)}</ToneBadge>
}

/** How it stands; where people are to be counted, the way to that. */
function Lead({ lockdown }: { lockdown: Lockdown }) {
  const t = useWords()
  const may = useMay()
  const { building_id: building, kind, status } = lockdown
  return (
    <Group gap="md">
      <Standing lockdown={lockdown} />
      {building && kind !== 'lockdown' && status === 'active' && may('presence:read') && (
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to={`/buildings/${building}`} search={{ tab: 'muster' }} {...props} />}
        >
          {liveWords(t).toMuster}
        </Anchor>
      )}
    </Group>
  )
}

/** Which one it is about. */
function Meant({ lockdown }: { lockdown: Lockdown }) {
  const t = useWords()
  return (
    <Text size="sm">
      <b>{wordFor(t.values, 'kind', lockdown.kind)}</b> <Where lockdown={lockdown} />
    </Text>
  )
}

/** As soon as one place is chosen the others step back. */
const where: FormFieldDef[] = places.map((field) => ({
  field,
  when: (values) => !places.some((one) => one !== field && values[one]),
}))

export const lockdowns = defineView<Lockdown>({
  resource: resources.lockdowns,
  columns: [
    'kind',
    { field: 'status', render: (lockdown) => <Standing lockdown={lockdown} /> },
    {
      key: 'where',
      title: (t) => timesWords(t).where,
      render: (lockdown) => <Where lockdown={lockdown} />,
      madeOf: places,
    },
    'reason',
    { field: 'created_at', title: (t) => timesWords(t).started },
    'started_by',
    { field: 'expires_at', isExtra: true },
    { field: 'released_at', isExtra: true },
    { field: 'released_by', isExtra: true },
  ],
  order: 'created_at.desc',
  filters: [
    { field: 'status', kind: 'values', values: ['active', 'expired', 'released'] },
    { field: 'kind', kind: 'values', values: ['lockdown', 'evacuation', 'drill'] },
  ],
  createLabel: (t) => timesWords(t).startOne,
  createTitle: (t) => timesWords(t).startForm,
  createdNote: (t, { kind }) => timesWords(t).startedNote(wordFor(t.values, 'kind', String(kind))),
  confirmation: (t, { kind, ...values }) => ({
    title: timesWords(t).startTitle(wordFor(t.values, 'kind', String(kind ?? 'lockdown'))),
    text: inWords(liveWords(t).startTexts, String(kind ?? 'lockdown')) ?? '',
    content: <DoorsConcerned values={values} />,
  }),
  startsInOwnPlace: true,
  form: [
    { fields: [{ field: 'kind', hint: (t) => timesWords(t).kindHint }] },
    { title: (t) => timesWords(t).where, text: (t) => timesWords(t).whereHint, fields: where },
    { fields: ['reason', 'expires_at'] },
  ],
  detail: {
    title: ({ kind }, t) => wordFor(t.values, 'kind', kind),
    lead: (lockdown) => <Lead lockdown={lockdown} />,
    subtitle: ({ reason }) => reason,
    sections: [
      {
        facts: [
          { key: 'where', title: (t) => timesWords(t).where, render: (lockdown) => <Where lockdown={lockdown} /> },
          { field: 'created_at', title: (t) => timesWords(t).started },
          'started_by',
          'expires_at',
          'released_at',
          'released_by',
          'present_at_start',
          'present_at_end',
          'duration_seconds',
        ],
      },
    ],
  },
  isFixed: ({ status }) => status !== 'active',
  isDeletable: () => false,
  actions: [
    {
      name: 'release',
      label: (t) => timesWords(t).release,
      icon: IconLockOpen,
      permission: 'lockdowns:write',
      when: ({ status }) => status === 'active',
      isPrimary: true,
      title: (t) => timesWords(t).releaseTitle,
      text: (t) => timesWords(t).releaseText,
      details: (lockdown) => <Meant lockdown={lockdown} />,
      done: (t) => timesWords(t).released,
    },
  ],
})

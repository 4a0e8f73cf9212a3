import type { Answer } from '../../api/client.ts'
import '../estate.css'
import { Alert, Anchor, List, Stack, Text } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconFlame,
  IconHandGrab,
  IconKey,
  IconMoodSad,
  IconPackageImport,
  IconSearch,
  IconTools,
  IconTrashX,
  IconUserX,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Key, KeyLoss, KeyReach } from '../../api/generated/types.ts'
import { readOptions } from '../../api/queries.ts'
import { deskWords } from '../../i18n/desk-words.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import type { Messages } from '../../i18n/messages.ts'
import { LimitNote, useAbsence } from '../../resource/absence.tsx'
import { type ActionDef, defineView } from '../../resource/define-view.ts'
import { Reference } from '../../resource/reference.tsx'
import { pathTo, type Resource, resources } from '../../resource/resources.ts'
import { Moment, Value } from '../../resource/shown/value.tsx'
import { wordedAction } from '../../resource/worded-action.ts'
import { ErrorNote } from '../../shell/error-note.tsx'
import { LossTab } from '../loss/loss-tab.tsx'
import { DueDate, isOverdue } from './due-date.tsx'

/** A key that is gone: whoever reports it learns what it opens. */
const missing = {
  permission: 'keys:handover',
  when: ({ status }) => status === 'in_stock' || status === 'issued',
  isDangerous: true,
  form: { body: 'KeyStep', sections: [{ fields: [{ field: 'note', hint: (t) => t.locking.lossNoteHint }] }] },
  resultTitle: (t) => t.locking.lossMeans,
  result: ({ data }: Answer<KeyLoss>, { id }, close) => <Lost id={id} reach={data} onLeave={close} />,
} satisfies Partial<ActionDef<Key>>

/** What becomes of a key that somebody holds is another matter. */
const heldOr =
  (
    held: 'reportLostHeld' | 'reportStolenHeld' | 'markDefectiveHeld',
    otherwise: 'reportLostText' | 'reportStolenText' | 'markDefectiveText',
  ) =>
  (t: Messages, _name: string, { status }: Key) =>
    t.locking[status === 'issued' ? held : otherwise]

const isMissing = ({ status }: Key) => status === 'lost' || status === 'stolen'

const steps: ReadonlyArray<ActionDef<Key>> = [
  wordedAction('locking', 'issue', {
    icon: IconHandGrab,
    permission: 'keys:handover',
    when: ({ status }) => status === 'in_stock',
    isPrimary: true,
    form: {
      body: 'KeyIssue',
      sections: [
        {
          fields: [
            { field: 'individual_id', label: (t) => t.locking.issueTo, among: () => ({ status: 'eq.active' }) },
            {
              field: 'due_back_on',
              hint: (t, day, { today }) => (day && String(day) < today() ? t.locking.duePast : t.locking.dueHint),
              isHalf: true,
            },
            { field: 'deposit_amount', hint: (t) => t.locking.depositHint, isHalf: true },
            'purpose',
            'condition',
          ],
        },
      ],
    },
    done: 'issued',
  }),
  wordedAction('locking', 'takeBack', {
    name: 'return',
    icon: IconArrowBackUp,
    permission: 'keys:handover',
    when: ({ status }) => status === 'issued',
    isPrimary: true,
    form: { body: 'KeyReturn', sections: [{ fields: ['storage', 'return_condition', 'note'] }] },
    done: 'takenBack',
  }),
  wordedAction('locking', 'receive', {
    icon: IconPackageImport,
    permission: 'keys:write',
    when: ({ status }) => status === 'ordered',
    isPrimary: true,
    form: { body: 'KeyStored', sections: [{ fields: ['storage', 'note'] }] },
    done: 'received',
  }),
  wordedAction('locking', 'found', {
    icon: IconSearch,
    permission: 'keys:handover',
    when: ({ status }) => status === 'lost',
    isPrimary: true,
    form: { body: 'KeyStored', sections: [{ fields: ['storage', 'note'] }] },
    done: 'foundDone',
  }),
  wordedAction('locking', 'reportLost', {
    name: 'report-lost',
    icon: IconMoodSad,
    text: heldOr('reportLostHeld', 'reportLostText'),
    done: 'lostDone',
    ...missing,
  }),
  wordedAction('locking', 'reportStolen', {
    name: 'report-stolen',
    icon: IconUserX,
    text: heldOr('reportStolenHeld', 'reportStolenText'),
    done: 'stolenDone',
    ...missing,
  }),
  wordedAction('locking', 'markDefective', {
    name: 'mark-defective',
    icon: IconTools,
    text: heldOr('markDefectiveHeld', 'markDefectiveText'),
    permission: 'keys:write',
    when: ({ status }) => status === 'in_stock' || status === 'issued',
    form: { body: 'KeyStored', sections: [{ fields: ['note', 'storage'] }] },
    done: 'defectiveDone',
  }),
  wordedAction('locking', 'writeOff', {
    name: 'write-off',
    icon: IconTrashX,
    permission: 'keys:write',
    when: ({ status }) => status === 'lost' || status === 'stolen',
    isDangerous: true,
    form: { body: 'KeyStep', sections: [{ fields: ['note'] }] },
    done: 'writtenOff',
  }),
  wordedAction('locking', 'destroy', {
    icon: IconFlame,
    permission: 'keys:write',
    when: ({ status }) => status === 'defective',
    isDangerous: true,
    form: { body: 'KeyStep', sections: [{ fields: ['note'] }] },
    done: 'destroyed',
  }),
]

export const keys = defineView<Key>({
  resource: resources.keys,
  columns: [
    {
      field: 'key_type_code',
      title: (t) => t.resources.keys.one,
      render: ({ key_type_code, number }) => <Code>{`${key_type_code} · ${number}`}</Code>,
    },
    'key_type_id',
    // Before what gives way where there is little room: every system has a key of this number.
    'locking_system_id',
    'status',
    { field: 'individual_id', title: (t) => t.locking.holder },
    { field: 'due_back_on', render: (key) => <DueDate item={key} /> },
    'storage',
    { field: 'number', isExtra: true },
    { field: 'status_since', isExtra: true },
    { field: 'status_note', isExtra: true },
  ],
  order: 'key_type_code.asc,number.asc',
  filters: [
    {
      field: 'status',
      kind: 'values',
      values: ['ordered', 'in_stock', 'issued', 'lost', 'stolen', 'defective', 'written_off', 'destroyed'],
    },
    { field: 'locking_system_id', kind: 'reference' },
    { field: 'key_type_id', kind: 'reference' },
    { field: 'individual_id', kind: 'reference', label: (t) => t.locking.holder },
    { field: 'due_back_on', kind: 'period' },
  ],
  form: [
    {
      fields: [
        {
          field: 'key_type_id',
          among: ({ locking_system_id: system }): Record<string, string> =>
            system ? { locking_system_id: `eq.${system}` } : {},
        },
        { field: 'number', hint: (t) => t.locking.keyNumberHint, isHalf: true },
        { field: 'status', values: ['ordered', 'in_stock'], isHalf: true },
        'storage',
        { field: 'due_back_on', when: ({ status }) => status === 'issued', hint: (t) => t.locking.dueEditHint },
        'external_id',
      ],
    },
  ],
  initial: { status: 'in_stock' },
  detail: {
    badges: ['status'],
    subtitle: ({ key_type_id, locking_system_id }) => (
      <>
        <Reference to={resources['key-types']} id={key_type_id} /> ·{' '}
        <Reference to={resources['locking-system']} id={locking_system_id} />
      </>
    ),
    lead: (key) => <Standing item={key} />,
    sections: [
      {
        facts: [
          { field: 'individual_id', title: (t) => t.locking.holder },
          { field: 'due_back_on', render: (key) => <DueDate item={key} /> },
          'storage',
          'status_since',
          'status_note',
          'key_type_id',
          'locking_system_id',
          'external_id',
        ],
      },
    ],
    tabs: [
      { key: 'loss', title: (t) => deskWords(t).loss, when: isMissing, render: (key) => <LossTab item={key} /> },
      { key: 'opens', title: (t) => t.locking.opens, render: ({ id }) => <ReachOf id={id} /> },
      { key: 'handovers', title: (t) => t.locking.handovers, view: 'key-handovers', by: 'key_id' },
    ],
  },
  actions: steps,
})

function Code({ children }: { children: string }) {
  return <span className="code">{children}</span>
}

/** What somebody at the counter must know before anything else. */
function Standing({ item }: { item: Key }) {
  const t = useWords()
  const format = useFormat()
  if (isOverdue(item, format)) {
    return (
      <Alert
        color="red"
        icon={<IconAlertTriangle size={18} aria-hidden />}
        title={t.locking.overdueSince(format.date(item.due_back_on))}
      >
        <Text size="sm" className="in-text">
          {t.locking.heldBy} <Value field="individual_id" value={item.individual_id} resource={resources.keys} />
        </Text>
      </Alert>
    )
  }
  if (!isMissing(item)) return null
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} aria-hidden />} title={t.locking.missingTitle}>
      <Text size="sm">
        {t.locking.missingSince} <Moment at={item.status_since} />.{' '}
        <Anchor
          inherit
          c="inherit"
          underline="always"
          renderRoot={(props) => <Link to="." search={{ tab: 'loss' }} {...props} />}
        >
          {deskWords(t).toChecklist}
        </Anchor>
      </Text>
    </Alert>
  )
}

function ReachOf({ id }: { id: string }) {
  const { data, error } = useQuery(readOptions<KeyReach>(`${resources.keys.api}/${id}/opens`))
  if (error) return <ErrorNote error={error} />
  return data ? <Reach reach={data} /> : null
}

/** What whoever has found it gets into, and where to go on. */
function Lost({ id, reach, onLeave }: { id: string; reach: KeyReach; onLeave(): void }) {
  const t = useWords()
  return (
    <Stack gap="md">
      <Reach reach={reach} />
      <Anchor
        onClick={onLeave}
        size="sm"
        renderRoot={(props) => <Link to={pathTo(resources.keys, id) ?? '/'} search={{ tab: 'loss' }} {...props} />}
      >
        {deskWords(t).toChecklist}
      </Anchor>
    </Stack>
  )
}

const MOST = 30

/** What a key opens, and how many have one like it. */
function Reach({ reach: { opens, holders_of_same_type: holders } }: { reach: KeyReach }) {
  const t = useWords()
  const format = useFormat()
  return (
    <Stack gap="md">
      <Text size="sm">
        <IconKey size={15} aria-hidden className="inline-icon" />{' '}
        {t.locking.holdersOfType(holders, format.number(holders))}
      </Text>
      <div className="reach">
        <Opened resource={resources.spaces} title={t.resources.spaces.many} items={opens.spaces} />
        <Opened
          resource={resources['access-points']}
          title={t.resources['access-points'].many}
          items={opens.access_points}
        />
        <Opened
          resource={resources.cylinders}
          title={t.resources.cylinders.many}
          items={opens.cylinders?.map(({ id, number }) => ({ id, name: number })) ?? null}
        />
      </div>
      {opens.limited_to && (
        <LimitNote resource={resources['access-points']} places={opens.limited_to.map(({ name }) => name)} />
      )}
    </Stack>
  )
}

function Opened({
  resource,
  title,
  items,
}: {
  resource: Resource
  title: string
  items: Array<{ id: string; name: string }> | null
}) {
  const t = useWords()
  const format = useFormat()
  const absence = useAbsence()
  const nothing = items === null ? t.words.notVisible : absence(resource, t.words.none)
  return (
    <section>
      <Text component="h3" size="sm" fw={600}>
        {items?.length ? `${title} (${format.number(items.length)})` : title}
      </Text>
      {items?.length ? (
        <List size="sm" listStyleType="none" className="reach-list">
          {items.slice(0, MOST).map(({ id, name }) => (
            <List.Item key={id}>
              <Reference to={resource} id={id} fallback={name} />
            </List.Item>
          ))}
        </List>
      ) : (
        <Text size="sm" c="dimmed">
          {nothing}
        </Text>
      )}
      {items && items.length > MOST && (
        <Text size="sm" c="dimmed">
          {t.locking.andMore(format.number(items.length - MOST))}
        </Text>
      )}
    </section>
  )
}

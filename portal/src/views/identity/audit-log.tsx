import {
  Anchor,
  Button,
  Group,
  Modal,
  Paper,
  SegmentedControl,
  Select,
  Skeleton,
  Stack,
  Switch,
  Table,
  Text,
  Title,
} from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { AuditEntry } from '../../api/generated/types.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { instantOf } from '../../i18n/time-zone.ts'
import { DateField } from '../../resource/dates/date-field.tsx'
import { defineView } from '../../resource/define-view.ts'
import { useHasView, useView } from '../../resource/known-views.ts'
import { Reference } from '../../resource/reference.tsx'
import { type Resource, resourceByNoun, resources } from '../../resource/resources.ts'
import { Nothing, Value } from '../../resource/shown/value.tsx'
import { inWords } from '../../typed.ts'
import { auditWords, recordedLabel } from './audit-fields.ts'
import { AuditSubject, isAboutSomething } from './audit-subject.tsx'
import { RecordedValue } from './audit-value.tsx'
import { namesOf, sentenceOf } from './audit-words.ts'

/** What the log is about, as the API calls it. */
const recorded = Object.keys(resources).filter((noun) => !['audit-log', 'key-handovers', 'identities'].includes(noun))

export const auditLog = defineView<AuditEntry>({
  resource: resources['audit-log'],
  columns: [
    { field: 'action', render: (entry) => <Action entry={entry} /> },
    { field: 'resource_id', render: (entry) => <Subject entry={entry} />, isUnsortable: true },
    { field: 'actor_name', render: (entry) => <Actor entry={entry} /> },
    { field: 'actor_kind', isExtra: true },
    'occurred_at',
    'address',
    { field: 'resource', render: ({ resource }) => <ResourceName noun={resource} />, isExtra: true },
    { field: 'req_id', isExtra: true },
    { field: 'sequence', isExtra: true },
  ],
  order: 'sequence.desc',
  filters: [
    { field: 'action', kind: 'text' },
    { field: 'actor_name', kind: 'text' },
    { field: 'actor_kind', kind: 'values', values: ['user', 'service_user', 'command_line', 'system'] },
    { field: 'resource', kind: 'values', values: recorded },
    { field: 'occurred_at', kind: 'period' },
    { field: 'actor_id', kind: 'identifier' },
    { field: 'resource_id', kind: 'identifier' },
  ],
  detail: {
    title: sentenceOf,
    subtitle: ({ occurred_at }) => <Value field="occurred_at" value={occurred_at} resource={resources['audit-log']} />,
    sections: [
      {
        facts: [
          'occurred_at',
          { field: 'actor_name', render: (entry) => <Actor entry={entry} withMore /> },
          'actor_kind',
          { field: 'resource', render: ({ resource }) => <ResourceName noun={resource} /> },
          { field: 'resource_id', render: (entry) => <Subject entry={entry} /> },
          'address',
          {
            key: 'code',
            title: (t) => t.identity.auditCode,
            render: ({ action }) => <Value field="code" value={action} resource={resources['audit-log']} />,
          },
          'req_id',
          'sequence',
        ],
      },
    ],
    extra: (entry) => <Comparison entry={entry} />,
  },
  tools: () => <Export />,
})

function Action({ entry }: { entry: AuditEntry }) {
  return sentenceOf(entry, useWords())
}

const actors: Partial<Record<AuditEntry['actor_kind'], Resource>> = {
  user: resources.users,
  service_user: resources['service-users'],
}

/** Who did it, by the name they had then. */
function Actor({
  entry: { actor_id, actor_kind, actor_name },
  withMore = false,
}: {
  entry: AuditEntry
  withMore?: boolean
}) {
  const t = useWords()
  const to = actors[actor_kind]
  if (actor_id === null || !to) return actor_kind === 'command_line' ? t.values.actor_kind.command_line : actor_name
  return (
    <>
      <Reference to={to} id={actor_id} fallback={actor_name} />
      {withMore && (
        <Anchor
          display="block"
          mt={8}
          size="xs"
          renderRoot={(props) => <Link to="/audit-log" search={{ actor_id: `eq.${actor_id}` }} {...props} />}
        >
          {t.identity.auditOfActor}
        </Anchor>
      )}
    </>
  )
}

function ResourceName({ noun }: { noun: string }) {
  return namesOf(noun, useWords())?.many ?? noun
}

/** The item that was changed, where it still can be seen. */
function Subject({ entry }: { entry: AuditEntry }) {
  return isAboutSomething(entry) ? <AuditSubject entry={entry} /> : <Nothing />
}

const textOf = (value: unknown): string => JSON.stringify(value ?? null)

/** Before and after side by side; what is recorded is called as the pages of its resource call it. */
function Comparison({ entry }: { entry: AuditEntry }) {
  const own = resourceByNoun(entry.resource)
  const hasView = useHasView()
  if (own && hasView(own.noun)) {
    return (
      <Suspense fallback={<Skeleton height={200} />}>
        <ComparedByView entry={entry} own={own} />
      </Suspense>
    )
  }
  return <Compared entry={entry} own={own ?? resources['audit-log']} labels={undefined} />
}

const ComparedByView = ({ entry, own }: { entry: AuditEntry; own: Resource }) => (
  <Compared entry={entry} own={own} labels={useView(own.noun).labels?.(useWords())} />
)

interface ComparedProps {
  entry: AuditEntry
  own: Resource
  labels: Partial<Record<string, string>> | undefined
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

function Compared({ entry: { before, after }, own, labels }: ComparedProps) {
  const t = useWords()
  const words = auditWords(t)
  const [isShort, setShort] = useState(true)
  if (!before && !after) {
    return (
      <Text size="sm" c="dimmed">
        {t.identity.auditNothing}
      </Text>
    )
  }
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const changed = new Set(names.filter((name) => textOf(before?.[name]) !== textOf(after?.[name])))
  const isBoth = before !== null && after !== null
  // What nobody has filled in takes one line together, as on the page of an item.
  const empty = isBoth ? [] : names.filter((name) => isNothing((before ?? after)?.[name]))
  const shown =
    isBoth && isShort ? names.filter((name) => changed.has(name)) : names.filter((name) => !empty.includes(name))
  return (
    <Paper withBorder p="md">
      <div className="page-header">
        <Title order={2} size="h5">
          {isBoth ? t.identity.auditChange : before ? words.was : words.recorded}
        </Title>
        {isBoth && (
          <Switch
            size="xs"
            label={t.identity.auditOnlyChanges}
            checked={isShort}
            onChange={({ currentTarget }) => setShort(currentTarget.checked)}
          />
        )}
      </div>
      <Table className="compare" mt="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" w="24%">
              {t.identity.auditField}
            </Table.Th>
            {before && <Table.Th scope="col">{isBoth ? t.identity.auditBefore : words.value}</Table.Th>}
            {after && <Table.Th scope="col">{isBoth ? t.identity.auditAfter : words.value}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((name) => (
            <Table.Tr key={name} data-changed={(isBoth && changed.has(name)) || undefined}>
              <Table.Th scope="row" fw={500}>
                {recordedLabel(t, labels, name)}
              </Table.Th>
              {[before, after].map(
                (item, index) =>
                  item && (
                    // biome-ignore lint/suspicious/noArrayIndexKey: before, and after
                    <Table.Td key={index}>
                      <RecordedValue field={name} value={item[name]} resource={own} />
                    </Table.Td>
                  ),
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {empty.length > 0 && (
        <p className="not-filled">
          {t.detail.notFilled}: {empty.map((name) => recordedLabel(t, labels, name)).join(', ')}
        </p>
      )}
    </Paper>
  )
}

/** A file of everything that fits; what the list is narrowed to is taken over as far as an export can be narrowed. */
function Export() {
  const t = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t.identity.export}
      </Button>
      {isOpen && <ExportDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const only = (text: string | undefined, pattern: RegExp): string => pattern.exec(text ?? '')?.[1] ?? ''

function ExportDialog({ onClose }: { onClose(): void }) {
  const t = useWords()
  const { timeZone } = useFormat()
  const filters = useSearch({ strict: false })
  const until = only(filters.occurred_at, /lt\.([\d-]{10})/)
  const [format, setFormat] = useState('csv')
  const [from, setFrom] = useState(only(filters.occurred_at, /gte\.([\d-]{10})/))
  const [to, setTo] = useState(until && shifted(until, -1))
  const [resource, setResource] = useState<string | null>(only(filters.resource, /^in\.\(([^,]+)\)$/) || null)
  const item = only(filters.resource_id, /^eq\.(.+)$/)
  const actor = only(filters.actor_id, /^eq\.(.+)$/)
  const query = new URLSearchParams(
    Object.entries({
      format,
      from: from && instantOf(`${from} 00:00:00`, timeZone),
      to: to && instantOf(`${shifted(to, 1)} 00:00:00`, timeZone),
      resource: resource ?? '',
      resource_id: item,
      actor_id: actor,
    }).filter(([, value]) => value !== ''),
  )
  return (
    <Modal opened onClose={onClose} title={t.identity.exportTitle} closeButtonProps={{ 'aria-label': t.words.close }}>
      <Stack gap="md">
        <Text size="sm">{t.identity.exportText}</Text>
        <SegmentedControl
          aria-label={t.fields.format}
          value={format}
          onChange={setFormat}
          data={[
            { value: 'csv', label: 'CSV' },
            { value: 'ndjson', label: 'NDJSON' },
          ]}
        />
        <Group grow>
          <DateField label={t.identity.exportFrom} value={from} onChange={setFrom} />
          <DateField label={t.identity.exportTo} value={to} onChange={setTo} />
        </Group>
        <Select
          label={t.fields.resource}
          placeholder={t.list.any}
          data={recorded.map((noun) => ({
            value: noun,
            label: inWords(t.resources, noun)?.many ?? noun,
          }))}
          value={resource}
          onChange={setResource}
          searchable
          clearable
        />
        {(item !== '' || actor !== '') && (
          <Text size="sm" c="dimmed">
            {item === '' ? t.identity.exportOneActor : t.identity.exportOneItem}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t.words.cancel}
          </Button>
          <Button
            component="a"
            href={`${resources['audit-log'].api}/export?${query}`}
            download
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={onClose}
          >
            {t.identity.export}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const shifted = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

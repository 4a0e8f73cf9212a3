import { Button, Menu, Paper, Switch, Table, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { AuditEntry } from '../api/generated/types.ts'
import { useWords } from '../i18n/language.tsx'
import { defineView } from '../resource/define-view.ts'
import { Reference } from '../resource/reference.tsx'
import { resourceByNoun, resources } from '../resource/resources.ts'
import { Value } from '../resource/value.tsx'

export const auditLog = defineView<AuditEntry>({
  resource: resources['audit-log'],
  columns: [
    'action',
    'occurred_at',
    'actor_name',
    { field: 'actor_kind', isExtra: true },
    { field: 'resource', render: ({ resource }) => <ResourceName noun={resource} /> },
    { field: 'resource_id', render: (entry) => <Subject entry={entry} /> },
    'address',
    { field: 'req_id', isExtra: true },
    { field: 'sequence', isExtra: true },
  ],
  order: 'sequence.desc',
  filters: [
    { field: 'action', kind: 'text' },
    { field: 'actor_name', kind: 'text' },
    { field: 'actor_kind', kind: 'values', values: ['user', 'service_user', 'command_line', 'system'] },
    { field: 'resource', kind: 'text' },
    { field: 'occurred_at', kind: 'period' },
  ],
  detail: {
    subtitle: ({ occurred_at }) => <Value field="occurred_at" value={occurred_at} resource={resources['audit-log']} />,
    sections: [
      {
        facts: [
          'occurred_at',
          'actor_name',
          'actor_kind',
          { field: 'resource', render: ({ resource }) => <ResourceName noun={resource} /> },
          { field: 'resource_id', render: (entry) => <Subject entry={entry} /> },
          'address',
          'req_id',
          'sequence',
        ],
      },
    ],
    extra: (entry) => <Comparison entry={entry} />,
  },
  tools: () => <Export />,
})

function ResourceName({ noun }: { noun: string }) {
  const t = useWords()
  return (t.resources as Record<string, { many: string }>)[noun]?.many ?? noun
}

/** The item that was changed, where it still can be seen. */
function Subject({ entry }: { entry: AuditEntry }) {
  const target = resourceByNoun(entry.resource)
  const name = [entry.after, entry.before].map((item) => item?.name).find((value) => typeof value === 'string')
  if (entry.resource_id === null) return <Value field="resource_id" value={null} resource={resources['audit-log']} />
  if (target?.path !== undefined) return <Reference to={target} id={entry.resource_id} fallback={name as string | undefined} />
  return <span className="code">{(name as string | undefined) ?? entry.resource_id.slice(0, 8)}</span>
}

const textOf = (value: unknown): string => JSON.stringify(value ?? null)

/** Before and after side by side. */
function Comparison({ entry: { before, after, resource } }: { entry: AuditEntry }) {
  const t = useWords()
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
  const own = resourceByNoun(resource) ?? resources['audit-log']
  const isBoth = before !== null && after !== null
  const shown = isBoth && isShort ? names.filter((name) => changed.has(name)) : names
  return (
    <Paper withBorder p="md">
      <div className="page-header">
        <Title order={2} size="h5">
          {t.identity.auditChange}
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
            <Table.Th scope="col">{before ? t.identity.auditBefore : t.identity.auditNew}</Table.Th>
            <Table.Th scope="col">{after ? t.identity.auditAfter : t.identity.auditDeleted}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((name) => (
            <Table.Tr key={name} data-changed={(isBoth && changed.has(name)) || undefined}>
              <Table.Th scope="row" fw={500}>
                {(t.fields as Record<string, string>)[name] ?? name}
              </Table.Th>
              <Table.Td>{before && <Value field={name} value={before[name]} resource={own} />}</Table.Td>
              <Table.Td>{after && <Value field={name} value={after[name]} resource={own} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

function Export() {
  const t = useWords()
  const download = (format: string) => `${resources['audit-log'].api}/export?format=${format}`
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          {t.identity.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={download('csv')} download>
          CSV
        </Menu.Item>
        <Menu.Item component="a" href={download('ndjson')} download>
          NDJSON
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

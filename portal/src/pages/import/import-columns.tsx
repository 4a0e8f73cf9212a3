import { Button, Group, Paper, Select, Stack, Table, Title } from '@mantine/core'
import { bodies } from '../../api/generated/bodies.ts'
import { useWords } from '../../i18n/language.tsx'
import type { BodyName } from '../../resource/resources.ts'
import { importWords } from './import-words.ts'

export type Mapping = Record<string, string | null>

interface ImportColumnsProps {
  create: BodyName | undefined
  columns: readonly string[]
  mapping: Mapping
  onChange(mapping: Mapping): void
  isChanged: boolean
  isPending: boolean
  onTry(): void
}

/** Which field each column is: as it was the last time or as its heading says, until somebody says otherwise. */
export function ImportColumns({ create, columns, mapping, onChange, isChanged, isPending, onTry }: ImportColumnsProps) {
  const t = useWords()
  const words = importWords(t)
  const names = ['id', ...Object.keys(create ? bodies[create] : {})]
  const labels: Readonly<Record<string, string>> = t.fields
  const taken = new Set(Object.values(mapping))
  const optionsFor = (column: string) =>
    names
      .filter((name) => mapping[column] === name || !taken.has(name))
      .map((value) => ({ value, label: value === 'id' ? 'ID' : (labels[value] ?? value) }))
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {words.columns}
        </Title>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.column}</Table.Th>
              <Table.Th>{words.field}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {columns.map((column) => (
              <Table.Tr key={column}>
                <Table.Td>{column}</Table.Td>
                <Table.Td>
                  <Select
                    aria-label={column}
                    placeholder={words.none}
                    data={optionsFor(column)}
                    value={mapping[column] ?? null}
                    onChange={(field) => onChange({ ...mapping, [column]: field })}
                    clearable
                    searchable
                    w="100%"
                    maw={280}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {isChanged && (
          <Group>
            <Button loading={isPending} onClick={onTry}>
              {words.tryAgain}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  )
}

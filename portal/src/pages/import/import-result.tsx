import { Group, Paper, Progress, Stack, Table, Text, Title } from '@mantine/core'
import type { Import } from '../../api/generated/types.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { importWords } from './import-words.ts'

const counts = ['created', 'changed', 'unchanged', 'failed'] as const

/** How far it has come, what became of the rows, and what is wrong by cell. */
export function ImportResult({
  current,
  isUnderWay,
  isOver,
}: {
  current: Import
  isUnderWay: boolean
  isOver: boolean
}) {
  const t = useWords()
  const words = importWords(t)
  const format = useFormat()
  const percent = current.rows === 0 ? 100 : (current.row_done / current.rows) * 100
  const progress = words.progress(format.number(current.row_done), format.number(current.rows))
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {isOver || current.status === 'running' ? words.resultDone : words.result}
        </Title>
        {isUnderWay && <Progress value={percent} aria-label={progress} />}
        <Text size="sm" c="dimmed" role="status">
          {progress}
        </Text>
        <Group gap="xl">
          {counts.map((name) => (
            <div key={name}>
              <Text size="sm" c="dimmed">
                {words[name]}
              </Text>
              <Text fw={600} size="lg" data-count={name}>
                {format.number(current[name])}
              </Text>
            </div>
          ))}
        </Group>
        {current.errors.length > 0 && (
          <>
            <Title order={3} size="h5">
              {words.faults}
            </Title>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{words.cell}</Table.Th>
                  <Table.Th>{words.column}</Table.Th>
                  <Table.Th>{words.message}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {current.errors.map(({ row, cell, column, path, message }) => (
                  <Table.Tr key={`${row} ${path} ${message}`}>
                    <Table.Td>{cell ?? row}</Table.Td>
                    <Table.Td>{column}</Table.Td>
                    <Table.Td>{message}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            {current.failed > current.errors.length && (
              <Text size="sm" c="dimmed">
                {words.first(format.number(current.errors.length))}
              </Text>
            )}
          </>
        )}
      </Stack>
    </Paper>
  )
}

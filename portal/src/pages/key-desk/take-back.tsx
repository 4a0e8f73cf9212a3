import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { HandedOverKeys, Key, KeyHandover } from '../../api/generated/types.ts'
import { listOptions, useChange } from '../../api/queries.ts'
import { deskWords } from '../../i18n/desk-words.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { Reference } from '../../resource/reference.tsx'
import { resources } from '../../resource/resources.ts'
import { ErrorNote } from '../../shell/error-note.tsx'
import { DueDate } from '../../views/keys/due-date.tsx'
import { KeyRows } from './key-rows.tsx'

/** The entries of the register that these keys are out by. */
function useOpenEntries(keys: readonly Key[]): Map<string, KeyHandover> {
  const ids = keys.map(({ id }) => id).join(',')
  const { data } = useQuery(
    listOptions<KeyHandover>(resources['key-handovers'].api, {
      key_id: `in.(${ids})`,
      outcome: 'eq.held',
      limit: '100',
    }),
  )
  return new Map(data?.items.map((entry) => [entry.key_id, entry]))
}

interface TakeBackProps {
  keys: readonly Key[]
  onRemove(key: Key): void
  onDone(done: HandedOverKeys): void
}

/** Keys that come back: who had each, and what deposit goes back. */
export function TakeBack({ keys, onRemove, onDone }: TakeBackProps) {
  const t = useWords()
  const format = useFormat()
  const change = useChange<HandedOverKeys>()
  const entries = useOpenEntries(keys)
  const [storage, setStorage] = useState('')
  const [condition, setCondition] = useState('')
  const deposits = keys.map(({ id }) => entries.get(id)?.deposit_amount ?? 0)
  const deposit = deposits.reduce((sum, one) => sum + one, 0)
  const takeBack = async () => {
    const body = {
      key_ids: keys.map(({ id }) => id),
      ...(storage.trim() === '' ? {} : { storage: storage.trim() }),
      ...(condition.trim() === '' ? {} : { return_condition: condition.trim() }),
    }
    try {
      onDone((await change.mutateAsync({ method: 'POST', path: `${resources.keys.api}/return`, body })).data)
    } catch {
      // Told below; what lies on the desk stays there.
    }
  }
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="take-back">
      <Stack gap="sm">
        <Title order={2} size="h4" id="take-back">
          {deskWords(t).takeBack}
        </Title>
        <KeyRows keys={keys} onRemove={onRemove}>
          {(key) => (
            <>
              {key.individual_id !== null && <Reference to={resources.individuals} id={key.individual_id} />}
              {key.due_back_on !== null && <DueDate item={key} />}
              <Deposit amount={entries.get(key.id)?.deposit_amount} />
            </>
          )}
        </KeyRows>
        {deposit > 0 && (
          <Text fw={600} role="status">
            {deskWords(t).depositBack(format.number(deposit))}
          </Text>
        )}
        <div className="form-grid">
          <div data-half>
            <TextInput
              label={t.fields.storage}
              value={storage}
              onChange={({ currentTarget }) => setStorage(currentTarget.value)}
            />
          </div>
          <div data-half>
            <TextInput
              label={t.fields.return_condition}
              value={condition}
              onChange={({ currentTarget }) => setCondition(currentTarget.value)}
            />
          </div>
        </div>
        {change.error && <ErrorNote error={change.error} />}
        <Group justify="flex-end">
          <Button
            leftSection={<IconArrowBackUp size={16} aria-hidden />}
            loading={change.isPending}
            onClick={() => void takeBack()}
          >
            {deskWords(t).takeBackKeys(keys.length)}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}

function Deposit({ amount }: { amount: number | null | undefined }) {
  const t = useWords()
  const format = useFormat()
  if (amount === undefined) return null
  return (
    <span className="dimmed">
      {amount === null || amount === 0 ? deskWords(t).noDeposit : deskWords(t).deposit(format.number(amount))}
    </span>
  )
}

import { Alert, Button, Group, NumberInput, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconHandGrab } from '@tabler/icons-react'
import { useState } from 'react'
import type { HandedOverKeys, Individual, Key } from '../../api/generated/types.ts'
import { useChange } from '../../api/queries.ts'
import { deskWords } from '../../i18n/desk-words.ts'
import { useWords } from '../../i18n/language.tsx'
import { ReferenceInput } from '../../resource/inputs/reference-input.tsx'
import { resources } from '../../resource/resources.ts'
import { StatusBadge } from '../../resource/shown/status-badge.tsx'
import { ErrorNote } from '../../shell/error-note.tsx'
import { DuePresets } from './due-presets.tsx'
import { KeyRows } from './key-rows.tsx'

interface HandOutProps {
  keys: readonly Key[]
  person: Individual | undefined
  onPerson(id: string | null): void
  onRemove(key: Key): void
  onDone(done: HandedOverKeys): void
}

/** Several keys to one person, all or none. */
export function HandOut({ keys, person, onPerson, onRemove, onDone }: HandOutProps) {
  const t = useWords()
  const change = useChange<HandedOverKeys>()
  const [due, setDue] = useState('')
  const [deposit, setDeposit] = useState<number | string>('')
  const [purpose, setPurpose] = useState('')
  const isGone = person !== undefined && person.status !== 'active'
  const handOut = async () => {
    const body = {
      key_ids: keys.map(({ id }) => id),
      individual_id: person?.id,
      ...(due === '' ? {} : { due_back_on: due }),
      ...(deposit === '' ? {} : { deposit_amount: Number(deposit) }),
      ...(purpose.trim() === '' ? {} : { purpose: purpose.trim() }),
    }
    try {
      onDone((await change.mutateAsync({ method: 'POST', path: `${resources.keys.api}/issue`, body })).data)
    } catch {
      // Told below; what lies on the desk stays there.
    }
  }
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="hand-out">
      <Stack gap="sm">
        <Title order={2} size="h4" id="hand-out">
          {deskWords(t).handOut}
        </Title>
        <KeyRows keys={keys} onRemove={onRemove}>
          {({ storage }) => storage}
        </KeyRows>
        <ReferenceInput
          to={resources.individuals}
          label={t.locking.issueTo}
          among={{ status: 'eq.active' }}
          value={person?.id ?? null}
          onChange={onPerson}
          required
        />
        {isGone && (
          <Alert color="yellow" p="xs">
            <Group gap="xs">
              {deskWords(t).notActive} <StatusBadge field="status" value={person.status} />
            </Group>
          </Alert>
        )}
        <div className="form-grid">
          <div data-half>
            <DuePresets value={due} onChange={setDue} />
          </div>
          <div data-half>
            <NumberInput
              label={t.fields.deposit_amount}
              description={keys.length > 1 ? deskWords(t).depositEach : t.locking.depositHint}
              min={0}
              value={deposit}
              onChange={setDeposit}
            />
          </div>
          <div>
            <TextInput
              label={t.fields.purpose}
              value={purpose}
              onChange={({ currentTarget }) => setPurpose(currentTarget.value)}
            />
          </div>
        </div>
        {change.error && <ErrorNote error={change.error} />}
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {person === undefined ? deskWords(t).whoFirst : ''}
          </Text>
          <Button
            leftSection={<IconHandGrab size={16} aria-hidden />}
            disabled={person === undefined || isGone}
            loading={change.isPending}
            onClick={() => void handOut()}
          >
            {deskWords(t).handOutKeys(keys.length)}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}

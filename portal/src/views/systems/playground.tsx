import { Alert, Button, Group, NumberInput, Paper, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Simulator, SimulatorAct } from '../../api/generated/types.ts'
import { readOptions, useChange } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { liveWords } from '../../i18n/live-words.ts'
import { ReferenceInput } from '../../resource/inputs/reference-input.tsx'
import { resources } from '../../resource/resources.ts'
import { StatusBadge, wordFor } from '../../resource/shown/status-badge.tsx'
import { YesNo } from '../../resource/shown/value.tsx'
import { ErrorNote } from '../../shell/error-note.tsx'

const MINUTE_MS = 60_000
const AT_DOOR = ['swipe', 'push_button', 'open', 'force', 'hold', 'close'] as const

/** A virtual controller as a building to play with: what is done here is reported as by any other. */
export function Playground({ id }: { id: string }) {
  const t = useWords()
  const words = liveWords(t)
  const path = `${resources['access-control-systems'].api}/${id}/simulator`
  const { data, error, refetch } = useQuery(readOptions<Simulator>(path))
  const change = useChange<Simulator>()
  const [said, setSaid] = useState<string>()
  const play = async (act: SimulatorAct & { action: keyof typeof words.acts }) => {
    setSaid(undefined)
    try {
      const { decision, reason } = (await change.mutateAsync({ method: 'POST', path, body: act })).data
      const outcome =
        decision && words.decided(wordFor(t.values, 'decision', decision), wordFor(t.values, 'reason', reason ?? ''))
      setSaid(outcome ?? words.played(words.acts[act.action]))
    } catch {
      // Told below.
    }
  }
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={200} />
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {words.playText}
      </Text>
      {said !== undefined && (
        <Alert color="gray" icon={<IconCircleCheck size={18} aria-hidden />} role="status">
          {said}
        </Alert>
      )}
      {change.error && <ErrorNote error={change.error} />}
      <AtDoor system={id} isBusy={change.isPending} onPlay={(act) => void play(act)} />
      <Controller simulator={data} isBusy={change.isPending} onPlay={(act) => void play(act)} />
    </Stack>
  )
}

type OnPlay = (act: SimulatorAct & { action: keyof ReturnType<typeof liveWords>['acts'] }) => void

function AtDoor({ system, isBusy, onPlay }: { system: string; isBusy: boolean; onPlay: OnPlay }) {
  const t = useWords()
  const words = liveWords(t)
  const [door, setDoor] = useState<string | null>(null)
  const [number, setNumber] = useState('')
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="at-door">
      <Stack gap="sm">
        <Title order={2} size="h4" id="at-door">
          {words.atDoor}
        </Title>
        <div className="form-grid">
          <div data-half>
            <ReferenceInput
              label={t.fields.access_point_id}
              to={resources['access-points']}
              among={{ access_control_system_id: `eq.${system}` }}
              value={door}
              onChange={setDoor}
            />
          </div>
          <div data-half>
            <TextInput
              label={words.cardNumber}
              value={number}
              maxLength={100}
              onChange={({ currentTarget }) => setNumber(currentTarget.value)}
            />
          </div>
        </div>
        <Group gap="xs">
          {AT_DOOR.map((action) => (
            <Button
              key={action}
              variant={action === 'swipe' ? 'filled' : 'default'}
              disabled={door === null || isBusy || (action === 'swipe' && number.trim() === '')}
              onClick={() =>
                door !== null &&
                onPlay({ action, access_point_id: door, ...(action === 'swipe' ? { number: number.trim() } : {}) })
              }
            >
              {words.acts[action]}
            </Button>
          ))}
        </Group>
      </Stack>
    </Paper>
  )
}

function Controller({ simulator, isBusy, onPlay }: { simulator: Simulator; isBusy: boolean; onPlay: OnPlay }) {
  const t = useWords()
  const format = useFormat()
  const words = liveWords(t)
  const {
    is_online: isOnline,
    is_powered: isPowered,
    clock,
    clock_offset_ms: offset,
    entries,
    events_waiting: waiting,
  } = simulator
  const [minutes, setMinutes] = useState<number | string>(Math.round(offset / MINUTE_MS))
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="controller">
      <Stack gap="sm">
        <Title order={2} size="h4" id="controller">
          {words.controller}
        </Title>
        <Group gap="lg">
          <StatusBadge field="contact" value={isOnline ? 'online' : 'offline'} />
          <Text size="sm">
            {words.powered}: <YesNo value={isPowered} />
          </Text>
          <Text size="sm">
            {words.clock}: {format.moment(clock)}
          </Text>
          {entries && (
            <Text size="sm">
              {words.table}: {words.tableOf(format.number(entries.cards), format.number(entries.grants))}
            </Text>
          )}
          {waiting !== null && (
            <Text size="sm">
              {words.eventsWaiting}: {format.number(waiting)}
            </Text>
          )}
        </Group>
        <Group gap="xs" align="flex-end">
          <Button
            variant="default"
            disabled={isBusy}
            onClick={() => onPlay({ action: isOnline ? 'go_offline' : 'go_online' })}
          >
            {words.acts[isOnline ? 'go_offline' : 'go_online']}
          </Button>
          <Button
            variant="default"
            disabled={isBusy}
            onClick={() => onPlay({ action: isPowered ? 'lose_power' : 'restore_power' })}
          >
            {words.acts[isPowered ? 'lose_power' : 'restore_power']}
          </Button>
          <NumberInput
            label={words.clockTurn}
            title={words.clockTurnText}
            value={minutes}
            onChange={setMinutes}
            allowDecimal={false}
            min={-100_000}
            max={100_000}
            w={150}
          />
          <Button
            variant="default"
            disabled={isBusy || minutes === ''}
            onClick={() => onPlay({ action: 'set_clock', offset_ms: Number(minutes) * MINUTE_MS })}
          >
            {words.acts.set_clock}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}

import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconBan, IconCommand, IconDoor, IconLockOpen, IconRotate } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError, call } from '../../api/client.ts'
import type { AccessPoint, Command } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import { itemOptions, queryClient, useChange } from '../../api/queries.ts'
import { useWords } from '../../i18n/language.tsx'
import { liveWords } from '../../i18n/live-words.ts'
import { ConfirmDialog } from '../../resource/dialog.tsx'
import { ItemPath } from '../../resource/item-hint.tsx'
import { isSeenInPart, labelOf, resources } from '../../resource/resources.ts'
import { StatusBadge } from '../../resource/shown/status-badge.tsx'
import { ErrorNote } from '../../shell/error-note.tsx'

const orders = [
  { word: 'unlock', action: 'unlock', icon: IconLockOpen, body: {}, isDangerous: false },
  { word: 'hold', action: 'unlock', icon: IconDoor, body: { until_released: true }, isDangerous: true },
  { word: 'block', action: 'block', icon: IconBan, body: {}, isDangerous: true },
  { word: 'release', action: 'release', icon: IconRotate, body: {}, isDangerous: false },
] as const
type Order = (typeof orders)[number]

const api = resources['access-points'].api
const LOOK_AGAIN_MS = 400
const isOver = ({ status }: Command): boolean => status !== 'queued' && status !== 'sent'

/**
 * Whether the service would pass an order on: asked without giving one. The reason where it would not, null where it
 * would.
 */
const possible = (id: string) => ({
  queryKey: ['can-be-told', id],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    try {
      await call(`${api}/${id}/unlock?dry_run=true`, { method: 'POST', body: {}, signal })
      return null
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) return error.reason ?? error.code
      throw error
    }
  },
  staleTime: 60_000,
})

/** What can be done with the door from here, and what came of it; nothing where it would be refused. */
export function DoorControls({ point }: { point: AccessPoint }) {
  const t = useWords()
  const isOffered = useMay()('access-points:unlock') && !isSeenInPart(resources['access-points'], point)
  const { data: reason } = useQuery({ ...possible(point.id), enabled: isOffered })
  const [asked, setAsked] = useState<Order>()
  const [given, setGiven] = useState<{ word: Order['word']; id: string }>()
  if (!isOffered || reason === undefined) return null
  if (reason !== null) {
    const why = liveWords(t).cannot[reason]
    return why === undefined ? null : (
      <Text size="sm" c="dimmed">
        {why}
      </Text>
    )
  }
  return (
    <Stack gap="xs" component="section" aria-label={liveWords(t).control} className="no-print">
      <Group gap="xs">
        {orders.map((order) => (
          <Button
            key={order.word}
            variant="default"
            leftSection={<order.icon size={16} aria-hidden />}
            onClick={() => setAsked(order)}
          >
            {liveWords(t)[order.word]}
          </Button>
        ))}
      </Group>
      {given && <CommandResult key={given.id} word={given.word} id={given.id} />}
      {asked && (
        <OrderDialog
          order={asked}
          point={point}
          onGiven={(id) => setGiven({ word: asked.word, id })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Stack>
  )
}

interface OrderDialogProps {
  order: Order
  point: AccessPoint
  onGiven(id: string): void
  onClose(): void
}

function OrderDialog({ order: { word, action, body, isDangerous }, point, onGiven, onClose }: OrderDialogProps) {
  const t = useWords()
  const change = useChange<Command>()
  const [why, setWhy] = useState('')
  const words = liveWords(t)
  const give = async () => {
    try {
      const reason = why.trim() === '' ? {} : { reason: why.trim() }
      const { data } = await change.mutateAsync({
        method: 'POST',
        path: `${api}/${point.id}/${action}`,
        body: { ...body, ...reason },
      })
      onGiven(data.id)
      onClose()
    } catch {
      // Told in the dialog.
    }
  }
  return (
    <ConfirmDialog
      title={words[`${word}Title`](labelOf(resources['access-points'], point))}
      text={words[`${word}Text`]}
      confirm={words[word]}
      isDangerous={isDangerous}
      isBusy={change.isPending}
      onConfirm={() => void give()}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        <ItemPath resource={resources['access-points']} item={point} />
      </Text>
      <TextInput
        label={t.fields.reason}
        value={why}
        maxLength={2000}
        onChange={({ currentTarget }) => setWhy(currentTarget.value)}
      />
      {change.error && <ErrorNote error={change.error} />}
    </ConfirmDialog>
  )
}

/** From queued to what the door made of it, as it comes. */
function CommandResult({ word, id }: { word: Order['word']; id: string }) {
  const t = useWords()
  const isSeen = useMay()('commands:read')
  const { data } = useQuery({
    ...itemOptions<Command>(resources.commands.api, id),
    enabled: isSeen,
    refetchInterval: ({ state }) => (state.data && isOver(state.data.item) ? false : LOOK_AGAIN_MS),
  })
  const command = data?.item
  const isDone = command !== undefined && isOver(command)
  useEffect(() => {
    // The door stands otherwise now.
    if (isDone) void queryClient.invalidateQueries({ queryKey: ['item', api] })
  }, [isDone])
  return (
    <Alert
      color="gray"
      icon={<IconCommand size={18} aria-hidden />}
      role="status"
      title={liveWords(t).commandResult(liveWords(t)[word])}
    >
      {isSeen ? (
        <Group gap="xs">
          <StatusBadge field="status" value={command?.status ?? 'queued'} />
          {command?.error_message && <Text size="sm">{command.error_message}</Text>}
        </Group>
      ) : (
        liveWords(t).commandUnseen
      )}
    </Alert>
  )
}

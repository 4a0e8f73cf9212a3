import { Alert, Button, Group, List, Paper, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AccessControlSystem, AccessControlSystemSync } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import { itemOptions, readOptions, useChange } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { liveWords, noteOf } from '../../i18n/live-words.ts'
import { isSeenInPart, resources } from '../../resource/resources.ts'
import { StatusBadge } from '../../resource/shown/status-badge.tsx'
import { Moment, Nothing } from '../../resource/shown/value.tsx'
import { ErrorNote } from '../../shell/error-note.tsx'

const api = resources['access-control-systems'].api
const LOOK_AGAIN_MS = 5000
/** Less than this nobody notices at a door. */
const RIGHT_MS = 1000

/**
 * How a system is: whether it is heard of, its clock, whether it holds what the rules say, and what has not reached it
 * yet.
 */
export function Health({ system }: { system: AccessControlSystem }) {
  const t = useWords()
  const format = useFormat()
  const isOwn = !isSeenInPart(resources['access-control-systems'], system)
  const { data: sync } = useQuery({
    ...readOptions<AccessControlSystemSync>(`${api}/${system.id}/sync`),
    enabled: isOwn,
    refetchInterval: LOOK_AGAIN_MS,
  })
  // What is said of it below, such as when it was last heard of, is of the same moment.
  useQuery({
    ...itemOptions(api, system.id),
    enabled: isOwn && sync?.contact === 'online',
    refetchInterval: LOOK_AGAIN_MS,
  })
  if (!sync) return null
  const words = liveWords(t)
  return (
    <Stack gap="sm" component="section" aria-label={words.device}>
      {sync.asks_first && <Removals id={system.id} removals={sync.removals} />}
      <Paper withBorder p="md">
        <div className="facts">
          <Fact title={words.device}>
            <StatusBadge field="state" value={sync.state} />
            <Text size="xs" c="dimmed">
              {noteOf(words, sync.error) ?? words.deviceTexts[sync.state]}
            </Text>
            <Text size="xs" c="dimmed">
              {t.estate.since} <Moment at={sync.since} />
            </Text>
          </Fact>
          <Fact title={words.contact}>
            {sync.contact === null ? <Nothing /> : <StatusBadge field="contact" value={sync.contact} />}
            {sync.contact_since !== null && (
              <Text size="xs" c="dimmed">
                {t.estate.since} <Moment at={sync.contact_since} />
              </Text>
            )}
          </Fact>
          <Fact title={words.clock}>
            <Clock offset={sync.clock_offset_ms} />
          </Fact>
          <Fact title={words.synced}>{sync.synced_at === null ? <Nothing /> : <Moment at={sync.synced_at} />}</Fact>
          <Count title={words.waiting} value={sync.pending} />
          <Count title={words.refusedEntries} value={sync.failed} />
        </div>
        {sync.inexpressible && sync.inexpressible.length > 0 && (
          <>
            <Text size="sm" fw={600} mt="sm">
              {words.inexpressible}
            </Text>
            <List size="sm">
              {[...Map.groupBy(sync.inexpressible, (one) => noteOf(words, one))].map(([message, alike]) => (
                <List.Item key={message}>
                  {message}
                  {alike.length > 1 && ` (${format.number(alike.length)})`}
                </List.Item>
              ))}
            </List>
          </>
        )}
      </Paper>
    </Stack>
  )
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <div>{children}</div>
    </div>
  )
}

/** What belongs to other places too is not counted for whoever is limited to some. */
function Count({ title, value }: { title: string; value: number | null }) {
  const format = useFormat()
  return value === null ? null : <Fact title={title}>{format.number(value)}</Fact>
}

function Clock({ offset }: { offset: number | null }) {
  const t = useWords()
  const format = useFormat()
  const words = liveWords(t)
  if (offset === null) return <Nothing />
  if (Math.abs(offset) < RIGHT_MS) return words.clockRight
  const time = format.duration(Math.abs(offset) / 1000)
  return offset > 0 ? words.clockAhead(time) : words.clockBehind(time)
}

/** Much is not removed from a device before somebody has said so. */
function Removals({ id, removals }: { id: string; removals: number | null }) {
  const t = useWords()
  const format = useFormat()
  const mayWrite = useMay()('access-control-systems:write')
  const change = useChange()
  const words = liveWords(t)
  const confirm = async () => {
    try {
      await change.mutateAsync({ method: 'POST', path: `${api}/${id}/confirm-removal`, body: { removals } })
      notifications.show({ message: words.removalConfirmed, color: 'green' })
    } catch {
      // Told below.
    }
  }
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{removals === null ? words.asksFirstUnseen : words.asksFirst(format.number(removals))}</Text>
        {removals !== null && mayWrite && (
          <Button size="xs" color="red" loading={change.isPending} onClick={() => void confirm()}>
            {words.confirmRemoval}
          </Button>
        )}
      </Group>
      {change.error && <ErrorNote error={change.error} />}
    </Alert>
  )
}

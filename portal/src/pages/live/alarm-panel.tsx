import { Anchor, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Alarm } from '../../api/generated/types.ts'
import { listOptions } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { liveWords } from '../../i18n/live-words.ts'
import { LimitNote, useAbsence } from '../../resource/absence.tsx'
import { HeaderActions } from '../../resource/actions.tsx'
import { Reference } from '../../resource/reference.tsx'
import { pathTo, resources } from '../../resource/resources.ts'
import { wordFor } from '../../resource/shown/status-badge.tsx'
import { Moment } from '../../resource/shown/value.tsx'
import { ErrorNote } from '../../shell/error-note.tsx'
import { AlarmPlace, AlarmStatus, alarms } from '../../views/live/alarms.tsx'

/** Others acknowledge too, and no event tells of it. */
const LOOK_AGAIN_MS = 10_000

export const openAlarms = {
  ...listOptions<Alarm>(resources.alarms.api, {
    status: 'in.(open,acknowledged)',
    order: 'status.desc,last_raised_at.desc',
    limit: '50',
  }),
  refetchInterval: LOOK_AGAIN_MS,
}

/** Alarms that are not closed: those that nobody has taken note of first. */
export function AlarmPanel() {
  const t = useWords()
  const format = useFormat()
  const absence = useAbsence()
  const { data, error, refetch } = useQuery(openAlarms)
  return (
    <section aria-labelledby="alarms">
      <Group justify="space-between" mb="xs" mih={36}>
        <Title order={2} size="h4" id="alarms">
          {liveWords(t).alarms}
          {data && data.total > 0 && ` (${format.number(data.total)})`}
        </Title>
        <Anchor size="sm" renderRoot={(props) => <Link to="/alarms" {...props} />}>
          {t.estate.news.all}
        </Anchor>
      </Group>
      {error ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={80} />
      ) : (
        <div className="live-alarms" role="status">
          {data.items.length === 0 && (
            <Text size="sm" c="dimmed" className="live-no-alarm">
              {absence(resources.alarms, liveWords(t).noAlarms)}
            </Text>
          )}
          {data.items.map((alarm) => (
            <AlarmCard key={alarm.id} alarm={alarm} />
          ))}
        </div>
      )}
      <LimitNote resource={resources.alarms} places={data?.limitedTo} />
    </section>
  )
}

function AlarmCard({ alarm }: { alarm: Alarm }) {
  const t = useWords()
  const format = useFormat()
  const { kind, status, individual_id: who, event_count: count, last_raised_at: at, note, ended_at: ended } = alarm
  return (
    <Paper withBorder p="sm" className="live-alarm" data-status={status}>
      <Stack gap={4}>
        <Group justify="space-between" gap="xs">
          <Text fw={600} size="sm" component="h3">
            <Link to={pathTo(resources.alarms, alarm.id) ?? '/'} className="reference">
              {wordFor(t.values, 'kind', kind)}
            </Link>
          </Text>
          <AlarmStatus status={status} />
        </Group>
        <Text size="sm" component="div">
          <AlarmPlace alarm={alarm} />
          {who && (
            <>
              {' · '}
              <Reference to={resources.individuals} id={who} fallback={t.resources.individuals.one} />
            </>
          )}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          <Moment at={at} />
          {count > 1 && ` · ${liveWords(t).times(format.number(count))}`}
          {ended !== null && ` · ${liveWords(t).ended}`}
          {alarm.acknowledged_by !== null && ` · ${alarm.acknowledged_by}`}
        </Text>
        {note !== null && <Text size="sm">{note}</Text>}
        <Group gap="xs" justify="flex-end">
          <HeaderActions view={alarms} item={alarm} api={resources.alarms.api} />
        </Group>
      </Stack>
    </Paper>
  )
}

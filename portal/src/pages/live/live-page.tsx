import { liveWords } from '../../i18n/live-words.ts'
import { inWords } from '../../typed.ts'
import './live.css'
import '../../views/estate.css'
import { ActionIcon, Alert, Anchor, Button, Group, Stack, Text, Title, Tooltip } from '@mantine/core'
import { IconActivity, IconBell, IconBellOff, IconMap, IconPlugConnectedX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import type { AccessEvent } from '../../api/generated/types.ts'
import { useIsLimited, useMay } from '../../api/me.ts'
import { listOptions } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { planWords } from '../../i18n/plan-words.ts'
import { LimitNote } from '../../resource/absence.tsx'
import type { View } from '../../resource/define-view.ts'
import { EmptyState } from '../../resource/empty-state.tsx'
import { chosenIn, FilterButton, FilterPills } from '../../resource/filters.tsx'
import { useKept } from '../../resource/list/kept.ts'
import { type ListState, useListState } from '../../resource/list-state.ts'
import { resources } from '../../resource/resources.ts'
import { ToneBadge } from '../../resource/shown/status-badge.tsx'
import { ErrorNote } from '../../shell/error-note.tsx'
import { Page } from '../../shell/page.tsx'
import { accessEvents } from '../../views/live/access-events.tsx'
import { AlarmPanel, openAlarms } from './alarm-panel.tsx'
import { useAlarmSound } from './alarm-sound.ts'
import { EventList } from './event-list.tsx'
import { Figures, lastHour } from './figures.tsx'
import { type Connection, MOST, useEvents } from './use-events.ts'

/** What a stream can be narrowed to in the page: what an event says of itself. */
const followed: View<AccessEvent> = {
  ...accessEvents,
  filters: (accessEvents.filters ?? []).filter(({ kind }) => kind !== 'period'),
}
const LATEST = '100'
/** After news, what was counted is counted again this much later at the earliest. */
const COUNT_AGAIN_MS = 2000
const nothingFixed = {}

/** What happens at the doors, as it happens, and what somebody has to look at. */
export function LivePage() {
  const t = useWords()
  const may = useMay()
  const seesEvents = may('access-events:read')
  const seesAlarms = may('alarms:read')
  const { events, connection } = useEvents(seesEvents, useNews())
  return (
    <Page
      title={liveWords(t).title}
      subtitle={liveWords(t).text}
      badges={seesEvents && <Standing connection={connection} />}
      actions={
        <>
          {may('floor-plans:read') && <ToPlans />}
          {seesAlarms && <SoundButton />}
        </>
      }
    >
      {seesEvents && <Broken connection={connection} />}
      <Figures />
      <div className="live">
        {seesAlarms ? <AlarmPanel /> : <Text c="dimmed">{liveWords(t).alarmsUnseen}</Text>}
        {seesEvents ? (
          <Events streamed={events} />
        ) : (
          <EmptyState icon={<IconActivity size={28} aria-hidden />} title={liveWords(t).notSeen} />
        )}
      </div>
    </Page>
  )
}

/**
 * What events may have changed is asked for again: alarms at once, counts a little later, and neither for every single
 * one.
 */
function useNews(): () => void {
  const client = useQueryClient()
  const isCounting = useRef(false)
  return () => {
    void client.invalidateQueries({ queryKey: openAlarms.queryKey })
    if (isCounting.current) return
    isCounting.current = true
    setTimeout(() => {
      isCounting.current = false
      void client.invalidateQueries({ queryKey: lastHour.queryKey })
    }, COUNT_AGAIN_MS)
  }
}

const looks = { connecting: 'waiting', connected: 'good', broken: 'bad', refused: 'bad' } as const

function Standing({ connection: { state } }: { connection: Connection }) {
  const t = useWords()
  return <ToneBadge tone={looks[state]}>{liveWords(t)[state === 'refused' ? 'broken' : state]}</ToneBadge>
}

function Broken({ connection: { state, since } }: { connection: Connection }) {
  const t = useWords()
  const format = useFormat()
  if (state !== 'broken' && state !== 'refused') return null
  return (
    <Alert color="yellow" icon={<IconPlugConnectedX size={18} aria-hidden />} role="status">
      {state === 'refused' ? liveWords(t).refusedText : liveWords(t).brokenText(format.time(since))}
    </Alert>
  )
}

function ToPlans() {
  const t = useWords()
  return (
    <Button
      variant="default"
      leftSection={<IconMap size={16} aria-hidden />}
      renderRoot={(props) => <Link to="/live/plans" {...props} />}
    >
      {planWords(t).many}
    </Button>
  )
}

function SoundButton() {
  const t = useWords()
  const [isOn, setOn] = useKept('alarm-sound', true)
  const { data } = useQuery(openAlarms)
  const open = useMemo(() => data?.items.filter(({ status }) => status === 'open').map(({ id }) => id), [data])
  const { isHeld } = useAlarmSound(open, isOn)
  const said = isHeld ? liveWords(t).soundWaits : isOn ? liveWords(t).soundOn : liveWords(t).soundOff
  return (
    <Tooltip label={said}>
      <ActionIcon
        variant="default"
        size="input-sm"
        aria-label={liveWords(t).sound}
        aria-pressed={isOn}
        onClick={() => setOn(!isOn)}
      >
        {isOn ? <IconBell size={16} aria-hidden /> : <IconBellOff size={16} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  )
}

/** The latest that had happened, and above them what has come since. */
function useShown(streamed: readonly AccessEvent[], { filters }: ListState) {
  const query = useMemo(() => ({ ...filters, order: 'sequence.desc', limit: LATEST }), [filters])
  const latest = useQuery({ ...listOptions<AccessEvent>(resources['access-events'].api, query), staleTime: 0 })
  const events = useMemo(() => {
    const before = latest.data?.items ?? []
    const last = before[0]?.sequence ?? 0
    const wanted = Object.entries(filters).map(([field, text]) => [field, new Set<unknown>(chosenIn(text))] as const)
    const fits = (event: AccessEvent) =>
      event.sequence > last && wanted.every(([field, values]) => values.has(inWords<unknown>(event, field)))
    const since = streamed.filter(fits)
    // Where the page has let go of some, what came before them does not follow.
    return streamed.length < MOST ? [...since, ...before] : since
  }, [latest.data, streamed, filters])
  return { events, latest }
}

function Events({ streamed }: { streamed: readonly AccessEvent[] }) {
  const t = useWords()
  const format = useFormat()
  const isLimited = useIsLimited()('access-events:read')
  const state = useListState(followed, nothingFixed)
  const { events, latest } = useShown(streamed, state)
  const isNarrowed = Object.keys(state.filters).length > 0
  return (
    <section aria-labelledby="events" className="live-events">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Group gap="sm">
            <Title order={2} size="h4" id="events">
              {liveWords(t).events}
            </Title>
            {(latest.data || events.length > 0) && (
              <Text size="sm" c="dimmed">
                {liveWords(t).shown(format.number(events.length))}
              </Text>
            )}
          </Group>
          <Group gap="sm">
            <Anchor size="sm" renderRoot={(props) => <Link to="/access-events" search={state.filters} {...props} />}>
              {liveWords(t).allEvents}
            </Anchor>
            <FilterButton view={followed} state={state} fixed={nothingFixed} />
          </Group>
        </Group>
        <FilterPills view={followed} state={state} />
        {latest.error && <ErrorNote error={latest.error} onRetry={() => void latest.refetch()} />}
        {events.length === 0 && latest.data !== undefined ? (
          <EmptyState
            icon={<IconActivity size={28} aria-hidden />}
            title={isNarrowed ? liveWords(t).noneFits : isLimited ? liveWords(t).noneSeen : liveWords(t).noEvents}
          />
        ) : (
          <EventList events={events} />
        )}
        <LimitNote resource={resources['access-events']} places={latest.data?.limitedTo} />
      </Stack>
    </section>
  )
}

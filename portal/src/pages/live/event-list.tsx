import { Button } from '@mantine/core'
import { useElementSize, useMediaQuery } from '@mantine/hooks'
import { IconArrowUp } from '@tabler/icons-react'
import { memo, type UIEvent, useLayoutEffect, useRef, useState } from 'react'
import type { AccessEvent } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import type { Item } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { liveWords } from '../../i18n/live-words.ts'
import { useKnown } from '../../resource/known.ts'
import { useWhereOptions } from '../../resource/located.tsx'
import { Referenced, referenceOptions } from '../../resource/reference.tsx'
import { resources } from '../../resource/resources.ts'
import { StatusBadge, wordFor } from '../../resource/shown/status-badge.tsx'
import { placeOf } from '../../views/live/access-events.tsx'
import { EventType } from '../../views/live/event-type.tsx'

/** As high as each row is (live.css): only rows in sight are drawn, whatever number there is. */
const WIDE_PX = 48
const NARROW_PX = 76
const PHONE_PX = 108
/** Drawn above and below what is in sight. */
const MORE = 10
/** So many more are drawn at once, when the last of them are close. */
const STEP = 4

export function EventList({ events }: { events: readonly AccessEvent[] }) {
  const t = useWords()
  const format = useFormat()
  const isNarrow = useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false })
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const px = isPhone ? PHONE_PX : isNarrow ? NARROW_PX : WIDE_PX
  const frame = useRef<HTMLDivElement>(null)
  const { ref: sized, height } = useElementSize()
  const [first, setFirst] = useState(0)
  const { above, look } = useKeptPlace(frame, events, px)
  const start = Math.max(0, first - MORE)
  const shown = events.slice(start, first + Math.ceil(height / px) + MORE)
  const toTop = () => frame.current?.scrollTo({ top: 0 })
  const scrolled = ({ currentTarget: { scrollTop } }: UIEvent<HTMLElement>) => {
    look(scrollTop)
    // Drawn some rows at a time, which are there before they are in sight.
    setFirst(Math.floor(scrollTop / px / STEP) * STEP)
  }
  return (
    <div className="event-frame" ref={sized}>
      {above > 0 && (
        <Button
          size="compact-sm"
          className="event-newest"
          leftSection={<IconArrowUp size={14} aria-hidden />}
          onClick={toTop}
          title={liveWords(t).toNewest}
        >
          {liveWords(t).newest(format.number(above))}
        </Button>
      )}
      <section
        className="event-scroll"
        ref={frame}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keyboard too
        tabIndex={0}
        aria-label={liveWords(t).events}
        onScroll={scrolled}
      >
        <ol className="event-rows" style={{ height: events.length * px, paddingTop: start * px }}>
          <Rows shown={shown} start={start} of={events.length} />
        </ol>
      </section>
    </div>
  )
}

function Rows({ shown, start, of }: { shown: readonly AccessEvent[]; start: number; of: number }) {
  const format = useFormat()
  const may = useMay()
  const whereOptions = useWhereOptions()
  const today = format.date(format.today())
  const ends = [...new Map(shown.flatMap((event) => placeOf(event) ?? []).map((end) => [end.id, end])).values()]
  const places = ends.filter(({ resource }) => may(resource.read))
  const placed = useKnown(places.map(({ resource, id }) => referenceOptions(resource, id)))
  const where = useKnown(places.map(whereOptions))
  const seen = may(resources.individuals.read) ? shown : []
  const people = [...new Set(seen.flatMap(({ individual_id: id }) => id ?? []))]
  const named = useKnown(people.map((id) => referenceOptions(resources.individuals, id)))
  // Of many rows few are of different doors: each is looked up once.
  const doorAt = new Map(places.map(({ id }, index) => [id, index]))
  const personAt = new Map(people.map((id, index) => [id, index]))
  return shown.map((event, index) => {
    const door = doorAt.get(placeOf(event)?.id ?? '') ?? -1
    return (
      <li key={event.id} className="event-row" aria-posinset={start + index + 1} aria-setsize={of}>
        <EventCells
          event={event}
          today={today}
          door={placed[door]}
          where={where[door]}
          person={named[personAt.get(event.individual_id ?? '') ?? -1]}
        />
      </li>
    )
  })
}

/**
 * What one is reading stays where it is while others come in above; says how many have, until one looks at the newest.
 */
function useKeptPlace(frame: React.RefObject<HTMLDivElement | null>, events: readonly AccessEvent[], px: number) {
  const newest = useRef<string>(undefined)
  const [above, setAbove] = useState(0)
  useLayoutEffect(() => {
    const element = frame.current
    const before = newest.current
    newest.current = events[0]?.id
    if (!element || before === undefined || before === events[0]?.id) return
    const added = events.findIndex(({ id }) => id === before)
    if (element.scrollTop <= px || added <= 0) return setAbove(0)
    element.scrollTop += added * px
    setAbove((now) => now + added)
  }, [frame, events, px])
  const look = (scrollTop: number) => {
    if (scrollTop <= px) setAbove(0)
  }
  return { above, look }
}

interface EventCellsProps {
  event: AccessEvent
  today: string
  door: Item | null | undefined
  where: string | undefined
  person: Item | null | undefined
}

/**
 * Plain elements, and few of them: a screen of them is drawn anew within a frame. Drawn again only when something of it
 * has changed.
 */
const EventCells = memo(function EventCells({ event, today, door, where, person }: EventCellsProps) {
  const t = useWords()
  const format = useFormat()
  const { occurred_at: at, type, reason, verdict, individual_id: whose, credential_number: number } = event
  const end = placeOf(event)
  const day = format.day(at)
  // Whose card nobody knows is said of the card.
  const isSaid = reason === 'unknown_credential' && !whose && number !== null
  const isAgainst = verdict === 'unexpected_grant' || verdict === 'unexpected_denial'
  const isReasoned = reason !== null && reason !== 'granted' && !isSaid
  return (
    <>
      <time dateTime={at} title={format.moment(at)} className="number">
        {/* What is left from days before is not taken for today's. */}
        {day !== today && <span className="event-day">{day}</span>}
        {format.time(at)}
      </time>
      <EventType type={type} />
      <span className="event-place">
        {end && <Referenced to={end.resource} id={end.id} item={door} kind={t.resources[end.resource.noun].one} />}{' '}
        {where && <span className="dimmed grant-where">{where}</span>}
      </span>
      <span className="event-who">
        {whose ? (
          <span className="event-person">
            <Referenced to={resources.individuals} id={whose} item={person} kind={t.resources.individuals.one} />
          </span>
        ) : (
          number && <span className="event-person">{liveWords(t).unknownCard(number)}</span>
        )}
        {isAgainst ? (
          <span className="event-reason">
            <StatusBadge field="verdict" value={verdict} />
          </span>
        ) : (
          isReasoned && <span className="event-reason">{wordFor(t.values, 'reason', reason)}</span>
        )}
      </span>
    </>
  )
})

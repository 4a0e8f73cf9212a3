import { Button } from '@mantine/core'
import { useElementSize, useMediaQuery } from '@mantine/hooks'
import { IconArrowUp } from '@tabler/icons-react'
import { memo, useLayoutEffect, useRef, useState } from 'react'
import type { AccessEvent } from '../../api/generated/types.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { liveWords } from '../../i18n/live-words.ts'
import { StatusBadge, wordFor } from '../../resource/shown/status-badge.tsx'
import { EventPerson, EventPlace } from '../../views/live/access-events.tsx'
import { EventType } from '../../views/live/event-type.tsx'

/** As high as each row is (live.css): only rows in sight are drawn, whatever number there is. */
const WIDE_PX = 48
const NARROW_PX = 76
const PHONE_PX = 108
/** Drawn above and below what is in sight. */
const MORE = 8

export function EventList({ events }: { events: readonly AccessEvent[] }) {
  const t = useWords()
  const format = useFormat()
  const isNarrow = useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false })
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const px = isPhone ? PHONE_PX : isNarrow ? NARROW_PX : WIDE_PX
  const frame = useRef<HTMLDivElement>(null)
  const { ref: sized, height } = useElementSize()
  const [first, setFirst] = useState(0)
  const above = useKeptPlace(frame, events, px)
  const start = Math.max(0, first - MORE)
  const today = format.date(format.today())
  const shown = events.slice(start, first + Math.ceil(height / px) + MORE)
  const toTop = () => frame.current?.scrollTo({ top: 0 })
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
        onScroll={({ currentTarget }) => setFirst(Math.floor(currentTarget.scrollTop / px))}
      >
        <ol className="event-rows" style={{ height: events.length * px }}>
          {shown.map((event, index) => (
            <EventRow
              key={event.id}
              event={event}
              top={(start + index) * px}
              position={start + index + 1}
              of={events.length}
              today={today}
            />
          ))}
        </ol>
      </section>
    </div>
  )
}

/** What one is reading stays where it is while others come in above; says how many have. */
function useKeptPlace(frame: React.RefObject<HTMLDivElement | null>, events: readonly AccessEvent[], px: number): number {
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
  useLayoutEffect(() => {
    const element = frame.current
    const look = () => {
      if (element && element.scrollTop <= px) setAbove(0)
    }
    element?.addEventListener('scroll', look, { passive: true })
    return () => element?.removeEventListener('scroll', look)
  }, [frame, px])
  return above
}

interface EventRowProps {
  event: AccessEvent
  top: number
  position: number
  of: number
  today: string
}

const EventRow = memo(function EventRow({ event, top, position, of, today }: EventRowProps) {
  const t = useWords()
  const format = useFormat()
  const { occurred_at: at, type, reason, verdict } = event
  const isNobody = !event.individual_id && !event.credential_number
  const day = format.day(at)
  // Whose card nobody knows is said of the card.
  const isSaid = reason === 'unknown_credential' && !event.individual_id && event.credential_number !== null
  const isAgainst = verdict === 'unexpected_grant' || verdict === 'unexpected_denial'
  return (
    <li className="event-row" data-nobody={isNobody || undefined} style={{ top }} aria-posinset={position} aria-setsize={of}>
      <time dateTime={at} title={format.moment(at)} className="number">
        {/* What is left from days before is not taken for today's. */}
        {day !== today && <span className="event-day">{day}</span>}
        {format.time(at)}
      </time>
      <EventType type={type} />
      <span className="event-place">
        <EventPlace event={event} />
      </span>
      <span className="event-who">
        <span className="event-person">
          <EventPerson event={event} />
        </span>
        <span className="event-reason">
          {isAgainst ? (
            <StatusBadge field="verdict" value={verdict} />
          ) : (
            reason !== null && reason !== 'granted' && !isSaid && wordFor(t.values, 'reason', reason)
          )}
        </span>
      </span>
    </li>
  )
})

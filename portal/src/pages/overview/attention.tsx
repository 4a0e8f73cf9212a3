import { Paper, Skeleton, Text, Title } from '@mantine/core'
import {
  type Icon,
  IconAlertTriangle,
  IconBellRinging,
  IconCalendarDue,
  IconCircleCheck,
  IconDoorOff,
  IconKeyOff,
  IconPlugConnectedX,
  IconSquareKey,
} from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../api/me.ts'
import { type ListQuery, listOptions } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { type Noun, resources } from '../../resource/resources.ts'
import { today } from '../../views/due-date.tsx'

interface Concern {
  key: string
  noun: Noun
  /** What the API counts and the list is narrowed to. */
  query: ListQuery
  icon: Icon
  isBad: boolean
  words: (count: number) => string
}

const CARD_DAYS = 90

function useConcerns(): Array<Concern & { count: number | undefined }> {
  const t = useWords().estate.attention
  const may = useMay()
  const concerns: Concern[] = [
    { key: 'alarm', noun: 'access-points', query: { in_alarm: 'is.true' }, icon: IconBellRinging, isBad: true, words: t.alarm },
    {
      key: 'disconnected',
      noun: 'access-control-systems',
      query: { status: 'in.(disconnected)' },
      icon: IconPlugConnectedX,
      isBad: true,
      words: t.disconnected,
    },
    {
      key: 'offline',
      noun: 'access-points',
      query: { connectivity: 'in.(offline)' },
      icon: IconDoorOff,
      isBad: true,
      words: t.offline,
    },
    {
      key: 'overdue',
      noun: 'keys',
      query: { status: 'in.(issued)', due_back_on: `lte.${today(-1)}` },
      icon: IconCalendarDue,
      isBad: true,
      words: t.overdue,
    },
    { key: 'lost', noun: 'keys', query: { status: 'in.(lost,stolen)' }, icon: IconKeyOff, isBad: true, words: t.lost },
    {
      key: 'degraded',
      noun: 'access-control-systems',
      query: { status: 'in.(degraded)' },
      icon: IconAlertTriangle,
      isBad: false,
      words: t.degraded,
    },
    {
      key: 'cards',
      noun: 'locking-system',
      query: { status: 'in.(planned,active)', security_card_expires_on: [`gte.${today()}`, `lte.${today(CARD_DAYS)}`] },
      icon: IconCalendarDue,
      isBad: false,
      words: t.cards,
    },
    { key: 'defective', noun: 'cylinders', query: { status: 'in.(defective)' }, icon: IconSquareKey, isBad: false, words: t.defective },
  ]
  const visible = concerns.filter(({ noun }) => may(resources[noun].read))
  const results = useQueries({
    queries: visible.map(({ noun, query }) => listOptions(resources[noun].api, { ...query, limit: '1' })),
  })
  return visible.map((concern, index) => ({ ...concern, count: results[index]?.data?.total }))
}

/** What somebody should do something about today; nothing else. */
export function Attention() {
  const t = useWords()
  const format = useFormat()
  const concerns = useConcerns()
  if (concerns.length === 0) return null
  const isPending = concerns.some(({ count }) => count === undefined)
  const present = concerns.filter(({ count }) => (count ?? 0) > 0)
  return (
    <section aria-labelledby="attention">
      <Title order={2} size="h4" id="attention" mb="xs">
        {t.estate.attention.title}
      </Title>
      {isPending ? (
        <div className="concerns">
          {[0, 1, 2, 3].map((one) => (
            <Skeleton key={one} height={74} radius="md" />
          ))}
        </div>
      ) : present.length === 0 ? (
        <Paper withBorder p="md" className="all-well">
          <IconCircleCheck size={20} aria-hidden />
          <Text>{t.estate.attention.nothing}</Text>
        </Paper>
      ) : (
        <div className="concerns">
          {present.map(({ key, noun, query, icon: Sign, isBad, words, count = 0 }) => (
            <Link
              key={key}
              to={resources[noun].path ?? '/'}
              search={Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat().join(',')])) as never}
              className="concern"
              data-bad={isBad || undefined}
            >
              <span className="concern-icon">
                <Sign size={18} stroke={1.7} aria-hidden />
              </span>
              <span className="concern-number">{format.number(count)}</span>
              <span className="concern-words">{words(count)}</span>
            </Link>
          ))}
        </div>
      )}
    </section>
  )
}

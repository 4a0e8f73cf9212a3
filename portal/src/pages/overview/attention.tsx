import { Paper, Skeleton, Text, Title } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Overview } from '../../api/generated/types.ts'
import { useMe } from '../../api/me.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { resources } from '../../resource/resources.ts'
import { concerns } from './concerns.ts'

/** What somebody should do something about today; nothing else. */
export function Attention({ overview }: { overview: Overview | undefined }) {
  const t = useWords()
  const format = useFormat()
  const isLimited = useMe().permissions.some(({ scope }) => scope === 'places')
  const mine = overview && concerns(format.today).map((concern) => ({ ...concern, number: concern.count(overview) }))
  const unseen = mine?.filter(({ number }) => typeof number !== 'number').length ?? 0
  if (unseen === mine?.length) return null
  const present = mine?.filter(({ number }) => number)
  return (
    <section aria-labelledby="attention">
      <Title order={2} size="h4" id="attention" mb="xs">
        {t.estate.attention.title}
      </Title>
      {present === undefined ? (
        <div className="concerns">
          {[0, 1, 2, 3].map((one) => (
            <Skeleton key={one} height={74} radius="md" />
          ))}
        </div>
      ) : present.length === 0 ? (
        <Paper withBorder p="md" className="all-well">
          <IconCircleCheck size={20} aria-hidden />
          <Text>{isLimited || unseen > 0 ? t.estate.attention.nothingSeen : t.estate.attention.nothing}</Text>
        </Paper>
      ) : (
        <div className="concerns">
          {present.map(({ key, noun, query, icon: Sign, isBad, number }) => (
            <Link
              key={key}
              to={resources[noun].path ?? '/'}
              search={Object.fromEntries(
                Object.entries(query).map(([name, value]) => [name, [value].flat().join(',')]),
              )}
              className="concern"
              data-bad={isBad || undefined}
            >
              <span className="concern-icon">
                <Sign size={18} stroke={1.7} aria-hidden />
              </span>
              <span className="concern-number">{format.number(number ?? 0)}</span>
              <span className="concern-words">{t.estate.attention[key](number ?? 0)}</span>
            </Link>
          ))}
        </div>
      )}
    </section>
  )
}

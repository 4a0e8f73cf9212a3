import { Button, Paper, Text, Title } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../api/me.ts'
import { useWords } from '../../i18n/language.tsx'
import { resources } from '../../resource/resources.ts'
import { useHasView } from '../../resource/views.tsx'
import type { Counted, Totals } from './use-totals.ts'

/** In the order in which one thing needs the other. */
const steps: readonly Counted[] = ['locations', 'buildings', 'spaces', 'access-points', 'individuals', 'credentials', 'access-grants']

/** The way from nothing to the first door that opens; it ticks itself off, and goes when it is done. */
export function Checklist({ totals }: { totals: Totals }) {
  const t = useWords()
  const may = useMay()
  const hasView = useHasView()
  const mine = steps.filter((noun) => hasView(noun) && may(resources[noun].read) && may(resources[noun].write))
  const isKnown = mine.every((noun) => totals[noun] !== undefined)
  const open = mine.filter((noun) => totals[noun] === 0)
  if (!isKnown || open.length === 0) return null
  const [next] = open
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="checklist" className="checklist">
      <Title order={2} size="h3" id="checklist">
        {t.estate.start.title}
      </Title>
      <Text c="dimmed" size="sm">
        {t.estate.start.text}
      </Text>
      <ol>
        {mine.map((noun) => {
          const isDone = (totals[noun] ?? 0) > 0
          return (
            <li key={noun} data-done={isDone || undefined} data-next={noun === next || undefined}>
              {isDone ? <IconCircleCheckFilled size={20} aria-hidden /> : <IconCircle size={20} stroke={1.5} aria-hidden />}
              <span className="checklist-words">
                <b>
                  {t.estate.start.steps[noun as keyof typeof t.estate.start.steps]}
                  <span className="visually-hidden">{isDone ? ` (${t.estate.start.done})` : ''}</span>
                </b>
                <small>{t.resources[noun].empty}</small>
              </span>
              {!isDone && (
                <Button
                  size="xs"
                  variant={noun === next ? 'filled' : 'default'}
                  leftSection={<IconPlus size={14} aria-hidden />}
                  renderRoot={(props) => <Link to={resources[noun].path ?? '/'} search={{ new: '1' } as never} {...props} />}
                >
                  {t.form.create(t.resources[noun].one)}
                </Button>
              )}
            </li>
          )
        })}
      </ol>
    </Paper>
  )
}

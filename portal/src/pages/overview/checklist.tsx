import { Button, Paper, Text, Title } from '@mantine/core'
import { IconBuildingCommunity, IconCircle, IconCircleCheckFilled, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Overview } from '../../api/generated/types.ts'
import { useIsLimited, useMay } from '../../api/me.ts'
import { useWords } from '../../i18n/language.tsx'
import { EmptyState } from '../../resource/empty-state.tsx'
import { type Noun, resources } from '../../resource/resources.ts'

/** Where somebody's places are empty, the organization need not be. */
function LimitedStart() {
  const t = useWords()
  return (
    <EmptyState
      icon={<IconBuildingCommunity size={28} aria-hidden />}
      title={t.list.noneSeen(t.resources.spaces.many)}
      text={t.list.limitedTo('')}
    />
  )
}

/** In the order in which one thing needs the other. */
const steps = [
  ['locations', 'locations'],
  ['buildings', 'buildings'],
  ['spaces', 'spaces'],
  ['access-points', 'access_points'],
  ['individuals', 'individuals'],
  ['credentials', 'credentials'],
  ['access-grants', 'access_grants'],
] as const satisfies ReadonlyArray<[Noun, keyof Overview]>

/** The way from nothing to the first door that opens; it ticks itself off, and goes when it is done. */
export function Checklist({ overview, isEmpty }: { overview: Overview | undefined; isEmpty: boolean }) {
  const t = useWords()
  const may = useMay()
  const isLimited = useIsLimited()
  const mine = steps.flatMap(([noun, family]) => {
    const known = overview?.[family]
    return known && may(resources[noun].write) ? [{ noun, isDone: known.total > 0 }] : []
  })
  const next = mine.find(({ isDone }) => !isDone)?.noun
  if (isLimited('spaces:read')) return isEmpty ? <LimitedStart /> : null
  if (next === undefined)
    return isEmpty ? (
      <EmptyState
        icon={<IconBuildingCommunity size={28} aria-hidden />}
        title={t.estate.start.emptyTitle}
        text={t.estate.start.emptyText}
      />
    ) : null
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="checklist" className="checklist">
      <Title order={2} size="h3" id="checklist">
        {t.estate.start.title}
      </Title>
      <Text c="dimmed" size="sm">
        {t.estate.start.text}
      </Text>
      <ol>
        {mine.map(({ noun, isDone }) => (
          <li key={noun} data-done={isDone || undefined} data-next={noun === next || undefined}>
            {isDone ? <IconCircleCheckFilled size={20} aria-hidden /> : <IconCircle size={20} stroke={1.5} aria-hidden />}
            <span className="checklist-words">
              <b>
                {t.estate.start.steps[noun]}
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
        ))}
      </ol>
    </Paper>
  )
}

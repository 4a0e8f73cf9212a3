import { Button, Group, Paper, SegmentedControl, Text, Title } from '@mantine/core'
import { IconBuildingCommunity, IconCircle, IconCircleCheckFilled, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Overview } from '../../api/generated/types.ts'
import { useIsLimited, useMay } from '../../api/me.ts'
import { listOptions } from '../../api/queries.ts'
import { useWords } from '../../i18n/language.tsx'
import { EmptyState } from '../../resource/empty-state.tsx'
import { useKept } from '../../resource/list/kept.ts'
import { type Noun, resources } from '../../resource/resources.ts'
import { keysOf } from '../../typed.ts'

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

/** What must exist, and where the overview counts it; what it does not count is asked for. */
type Step<N extends Noun = Noun> = readonly [N, keyof Overview | undefined]

const places = [
  ['locations', 'locations'],
  ['buildings', 'buildings'],
  ['spaces', 'spaces'],
  ['access-points', 'access_points'],
  ['individuals', 'individuals'],
] as const satisfies readonly Step[]

/** In the order in which one thing needs the other: with cards and readers, or with keys and cylinders alone. */
const paths = {
  electronic: [...places, ['credentials', 'credentials'], ['access-grants', 'access_grants']],
  mechanical: [
    ...places,
    ['locking-system', 'locking_systems'],
    ['cylinders', 'cylinders'],
    ['key-types', undefined],
    ['keys', 'keys'],
  ],
} as const satisfies Record<string, readonly Step[]>
type Path = keyof typeof paths
type StepNoun = (typeof paths)[Path][number][0]

/** The way from nothing to the first door that opens; it ticks itself off, and goes when it is done. */
export function Checklist({ overview, isEmpty }: { overview: Overview | undefined; isEmpty: boolean }) {
  const t = useWords()
  const may = useMay()
  const isLimited = useIsLimited()
  const [path, setPath] = useKept<Path>('newcomer’s path', 'electronic')
  const [isDismissed, setDismissed] = useKept('newcomer’s list is done with', false)
  const hasLocks = (overview?.locking_systems?.total ?? 0) > 0
  const keyTypes = useQuery({
    ...listOptions(resources['key-types'].api, { limit: '1' }),
    enabled: hasLocks && may('key-types:read'),
  })
  const stepsOf = (wanted: Path) =>
    paths[wanted].flatMap(([noun, family]: Step<StepNoun>) => {
      const total = family === undefined ? (keyTypes.data?.total ?? 0) : overview?.[family]?.total
      return total !== undefined && may(resources[noun].write) ? [{ noun, isDone: total > 0 }] : []
    })
  const mine = stepsOf(path)
  // Whoever has come to the end of one way has no need of the other.
  const isThere = keysOf(paths).some((one) => stepsOf(one).every(({ isDone }) => isDone))
  const next = isThere ? undefined : mine.find(({ isDone }) => !isDone)?.noun
  if (isLimited('spaces:read')) return isEmpty ? <LimitedStart /> : null
  if (isDismissed && !isEmpty) return null
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
      <Group justify="space-between" align="flex-start">
        <Title order={2} size="h3" id="checklist">
          {t.estate.start.title}
        </Title>
        {!isEmpty && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setDismissed(true)}>
            {t.estate.start.dismiss}
          </Button>
        )}
      </Group>
      <Text c="dimmed" size="sm">
        {t.estate.start.text}
      </Text>
      <SegmentedControl
        size="xs"
        mt="xs"
        aria-label={t.estate.start.path}
        data={[
          { value: 'electronic', label: t.estate.start.electronic },
          { value: 'mechanical', label: t.estate.start.mechanical },
        ]}
        value={path}
        onChange={setPath}
      />
      <ol>
        {mine.map(({ noun, isDone }) => (
          <li key={noun} data-done={isDone || undefined} data-next={noun === next || undefined}>
            {isDone ? (
              <IconCircleCheckFilled size={20} aria-hidden />
            ) : (
              <IconCircle size={20} stroke={1.5} aria-hidden />
            )}
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
                renderRoot={(props) => <Link to={resources[noun].path ?? '/'} search={{ new: '1' }} {...props} />}
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

import { Anchor, List, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { ApiError, call } from '../api/client.ts'
import type { DryRunMeta } from '../api/generated/types.ts'
import { useIsLimited } from '../api/me.ts'
import type { Change } from '../api/queries.ts'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import { ErrorNote } from '../shell/error-note.tsx'
import { Reference } from './reference.tsx'
import { resources } from './resources.ts'

export type Impact = DryRunMeta['access']
type Side = NonNullable<Impact>['gained']

/** What a change would do to who can open what: the service does it, and takes it back. */
export async function impactOf({ path, ...change }: Change): Promise<Impact> {
  const { meta } = await call<unknown, DryRunMeta | undefined>(`${path}?dry_run=true`, { ...change, withoutKey: true })
  return meta?.access
}

/** Whether anybody gains or loses a door, as far as it is told. */
export const hasImpact = (impact: Impact): boolean => Boolean(impact && impact.gained.pairs + impact.lost.pairs > 0)

/** Before something is done that is not typed into a form: what it would do, or that it would be refused. */
export function useImpact(change: Change | undefined) {
  const { data, error, isLoading } = useQuery({
    queryKey: ['dry-run', change],
    queryFn: async () => (change && (await impactOf(change))) ?? null,
    enabled: change !== undefined,
    gcTime: 0,
    staleTime: 0,
  })
  return {
    isLoading,
    isRefused: error instanceof ApiError && error.status === 403,
    content: error ? (
      <ErrorNote error={error} />
    ) : isLoading ? (
      <Skeleton height={40} />
    ) : (
      change && <ImpactText impact={data ?? null} />
    ),
  }
}

export function ImpactOf({ change }: { change: Change }) {
  return useImpact(change).content
}

/** "37 people gain 12 doors", and who which. */
export function ImpactText({ impact }: { impact: Impact | null }) {
  const t = useWords()
  const format = useFormat()
  const isLimited = useIsLimited()
  if (!impact) {
    return (
      <Text size="sm" c="dimmed">
        {t.opening.impactUnseen}
      </Text>
    )
  }
  return (
    <Stack gap="sm" className="impact">
      {!hasImpact(impact) && <Text size="sm">{t.opening.noImpact}</Text>}
      {impact.at !== null && <Text size="sm">{t.opening.impactFrom(format.moment(impact.at))}</Text>}
      {impact.gained.pairs > 0 && <SideText side={impact.gained} words={t.opening.gain} />}
      {impact.lost.pairs > 0 && <SideText side={impact.lost} words={t.opening.lose} />}
      {isLimited('access-points:audience') && (
        <Text size="xs" c="dimmed">
          {t.opening.asFarAsSeen}
        </Text>
      )}
    </Stack>
  )
}

/** Leads to what somebody can open now, beside what is being decided; whoever is not there yet opens nothing. */
function DoorsOf({ id, children }: { id: string | null; children: string }) {
  if (id === null) return children
  return (
    <Anchor
      inherit
      renderRoot={(props) => <Link to="/who-can-open" search={{ person: id }} target="_blank" {...props} />}
    >
      {children}
    </Anchor>
  )
}

type Sentence = (people: number, doors: number, peopleShown: string, doorsShown: string) => string
const NAMES = 5

function SideText({ side, words }: { side: Side; words: Sentence }) {
  const t = useWords()
  const format = useFormat()
  const people = [...Map.groupBy(side.first, ({ individual_id: id, display_name: name }) => id ?? name).values()]
  const rest = side.pairs - side.first.length
  return (
    <section>
      <Text fw={600}>{words(side.people, side.doors, format.number(side.people), format.number(side.doors))}</Text>
      <List size="sm" spacing={2} mt={4} className="impact-list in-text">
        {people.map((rows) => {
          const [{ individual_id: id, display_name: name } = { individual_id: null, display_name: '' }] = rows
          return (
            <List.Item key={id ?? name}>
              <DoorsOf id={id}>{name}</DoorsOf>:{' '}
              {rows.slice(0, NAMES).map((row, index) => (
                <Fragment key={row.access_point_id}>
                  {index > 0 && ', '}
                  <Reference to={resources['access-points']} id={row.access_point_id} isPlain fallback={row.name} />
                </Fragment>
              ))}
              {rows.length > NAMES && (
                <>
                  {' '}
                  <DoorsOf id={id}>{t.locking.andMore(format.number(rows.length - NAMES))}</DoorsOf>
                </>
              )}
            </List.Item>
          )
        })}
      </List>
      {rest > 0 && (
        <Text size="sm" c="dimmed">
          {t.opening.impactMore(format.number(rest))}
        </Text>
      )}
    </section>
  )
}

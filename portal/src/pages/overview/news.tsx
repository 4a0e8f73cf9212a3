import { Paper, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import type { AuditEntry, Individual, Key, LockingSystem } from '../../api/generated/types.ts'
import { type May, useMay } from '../../api/me.ts'
import { type Item, type ListQuery, listOptions, queryClient } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useWords } from '../../i18n/language.tsx'
import { useAbsence } from '../../resource/absence.tsx'
import { Where } from '../../resource/located.tsx'
import { referenceOptions } from '../../resource/reference.tsx'
import { labelOf, type Noun, pathTo, type Resource, resources } from '../../resource/resources.ts'
import { Moment, Value } from '../../resource/shown/value.tsx'
import { ErrorNote } from '../../shell/error-note.tsx'
import { keysOf } from '../../typed.ts'
import { AuditSubject, isAboutSomething, subjectsOf } from '../../views/identity/audit-subject.tsx'
import { sentenceOf } from '../../views/identity/audit-words.ts'
import { CARD_DAYS, overdue, type Today } from './concerns.ts'

/** What each list asks for. */
const latest = {
  keys: (today: Today) => ({ ...overdue(today), order: 'due_back_on.asc' }),
  'locking-system': (today: Today) => ({
    status: 'in.(planned,active)',
    security_card_expires_on: `lte.${today(CARD_DAYS)}`,
    order: 'security_card_expires_on.asc',
  }),
  individuals: () => ({ order: 'created_at.desc' }),
  'audit-log': () => ({ resource: 'not.in.(sessions,users)', order: 'sequence.desc' }),
} satisfies Partial<Record<Noun, (today: Today) => ListQuery>>

const latestOptions = <T,>(noun: Noun, query: ListQuery) =>
  listOptions<T>(resources[noun].api, { ...query, limit: '5' })

const holderOf = ({ individual_id: id }: Item): ReadonlyArray<readonly [Resource, string]> =>
  typeof id === 'string' ? [[resources.individuals, id]] : []

/** The lists, and the names of those whom they are about. */
export async function loadNews(may: May, today: Today): Promise<void> {
  const load = async (noun: keyof typeof latest) => {
    if (!may(resources[noun].read)) return
    const query = latest[noun](today)
    const named =
      noun === 'audit-log'
        ? (await queryClient.fetchQuery(latestOptions<AuditEntry>(noun, query))).items.flatMap(subjectsOf)
        : (await queryClient.fetchQuery(latestOptions<Item>(noun, query))).items.flatMap(holderOf)
    await Promise.all(named.map(([to, id]) => may(to.read) && queryClient.prefetchQuery(referenceOptions(to, id))))
  }
  await Promise.all(keysOf(latest).map(load))
}

/** What is due by name, and who and what is new. */
export function News() {
  const t = useWords()
  const format = useFormat()
  const may = useMay()
  const { today } = format
  const sees = (noun: Noun) => may(resources[noun].read)
  return (
    <div className="news">
      {sees('keys') && (
        <Latest<Key>
          noun="keys"
          title={t.estate.news.overdue}
          empty={t.estate.news.noneOverdue}
          query={latest.keys(today)}
          row={(key) => ({
            name: labelOf(resources.keys, key),
            more: (
              <>
                <Value field="individual_id" value={key.individual_id} resource={resources.keys} isPlain />{' '}
                <Where end={{ resource: resources.keys, id: key.id }} />
              </>
            ),
            when: key.due_back_on && format.date(key.due_back_on),
            isLate: true,
          })}
        />
      )}
      {sees('locking-system') && (
        <Latest<LockingSystem>
          noun="locking-system"
          title={t.estate.news.cards}
          empty={t.estate.news.noCards}
          query={latest['locking-system'](today)}
          row={(system) => ({
            name: system.name,
            more: system.security_card_number,
            when: system.security_card_expires_on && format.date(system.security_card_expires_on),
            isLate: (system.security_card_expires_on ?? '') < today(),
          })}
        />
      )}
      {sees('individuals') && (
        <Latest<Individual>
          noun="individuals"
          title={t.estate.news.people}
          empty={t.resources.individuals.empty}
          query={latest.individuals()}
          row={(person) => ({
            name: person.display_name,
            more: person.department ?? person.company ?? t.values.kind[person.kind],
            when: person.created_at === undefined ? '' : format.date(person.created_at),
          })}
        />
      )}
      {sees('audit-log') && (
        <Latest<AuditEntry>
          noun="audit-log"
          title={t.estate.news.changes}
          empty={t.resources['audit-log'].empty}
          query={latest['audit-log']()}
          all={{}}
          row={(entry) => ({
            name: sentenceOf(entry, t),
            more: <Concerned entry={entry} />,
            when: <Moment at={entry.occurred_at} isRelative />,
          })}
        />
      )}
    </div>
  )
}

/** What it was done to, and by whom. */
function Concerned({ entry }: { entry: AuditEntry }) {
  const t = useWords()
  const { actor_kind, actor_name } = entry
  return (
    <>
      <AuditSubject entry={entry} isPlain />
      {isAboutSomething(entry) && ' · '}
      {actor_kind === 'command_line' ? t.values.actor_kind.command_line : actor_name}
    </>
  )
}

interface LatestProps<T> {
  noun: Noun
  title: string
  empty: string
  query: ListQuery
  /** What the whole list is narrowed to, where that is not the same. */
  all?: ListQuery
  row: (item: T) => { name: ReactNode; more: ReactNode; when: ReactNode; isLate?: boolean }
}

function Latest<T extends { id: string }>({ noun, title, empty, query, all = query, row }: LatestProps<T>) {
  const t = useWords()
  const id = useId()
  const absence = useAbsence()
  const { data, error, refetch } = useQuery(latestOptions<T>(noun, query))
  return (
    <Paper withBorder component="section" aria-labelledby={id} className="latest">
      <div className="latest-head">
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {data && data.total > 0 && (
          <Link
            to={resources[noun].path ?? '/'}
            search={all}
            className="latest-all"
            aria-label={`${t.estate.news.all}: ${title}`}
          >
            {t.estate.news.all}
          </Link>
        )}
      </div>
      {data === undefined &&
        (error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : <Skeleton height={180} />)}
      {data?.items.length === 0 && (
        <Text size="sm" c="dimmed">
          {absence(resources[noun], empty, t.estate.news.noneSeen)}
        </Text>
      )}
      <ul>
        {data?.items.map((item) => {
          const { name, more, when, isLate } = row(item)
          return (
            <li key={item.id}>
              <Link to={pathTo(resources[noun], item.id) ?? '/'} className="latest-row">
                <span className="latest-name">
                  <b>{name}</b>
                  <small>{more}</small>
                </span>
                <span className="latest-when" data-late={isLate || undefined}>
                  {when}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </Paper>
  )
}

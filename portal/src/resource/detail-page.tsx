import { Alert, Anchor, Group, Paper, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect } from 'react'
import { useMay, useMe } from '../api/me.ts'
import { type Item, itemOptions } from '../api/queries.ts'
import { useWords } from '../i18n/language.tsx'
import { useChosenInSight } from '../shell/chosen-tab.ts'
import { CopyIcon } from '../shell/copy.tsx'
import { ErrorNote } from '../shell/error-note.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { Page } from '../shell/page.tsx'
import { noteRecent } from '../shell/recent.ts'
import { HeaderActions } from './actions.tsx'
import { type Shown, shownOf } from './columns.ts'
import type { AnyView } from './define-view.ts'
import { useHasView, useOwnNoun, useView } from './known-views.ts'
import { Count, Glimpse, Related, RelatedCount, type RelatedTab, titleOf } from './related.tsx'
import { apiOf, isSeenInPart, labelOf, resources } from './resources.ts'
import { StatusBadge } from './shown/status-badge.tsx'
import { Moment, Value } from './shown/value.tsx'

/** `/buildings/<id>`: what it is, what belongs to it, and what can be done. */
export function DetailPage() {
  const noun = useOwnNoun()
  const t = useWords()
  const view = useView(noun)
  const { id = '' } = useParams({ strict: false })
  const api = apiOf(view.resource)
  const { data, error, refetch } = useQuery(itemOptions<Item>(api, id))
  const path = view.resource.path ?? '/'
  const crumbs = [
    ...(path.startsWith('/user-management/') ? [{ title: t.shell.userManagement, to: '/user-management' }] : []),
    { title: t.resources[noun].many, to: path },
  ]
  if (error && 'status' in error && (error.status === 404 || error.status === 400)) return <NotFound />
  if (error) {
    return (
      <Page title={t.errors.title} crumbs={crumbs}>
        <ErrorNote error={error} onRetry={() => void refetch()} />
      </Page>
    )
  }
  if (!data) return <DetailSkeleton crumbs={crumbs} />
  return <Loaded key={`${noun}/${id}`} view={view} crumbs={crumbs} {...data} />
}

interface LoadedProps {
  view: AnyView
  crumbs: Array<{ title: string; to: string }>
  item: Item
  etag: string | undefined
}

function Loaded({ view, crumbs, item, etag }: LoadedProps) {
  const t = useWords()
  // Of one view always the same hook: the page of another view is another component.
  const title = view.detail?.title?.(item, t) ?? labelOf(view.resource, item)
  const api = apiOf(view.resource)
  const me = useMe()
  useEffect(() => noteRecent(me, 'seen', view.resource.noun, item.id), [me, view, item.id])
  return (
    <Page
      title={title}
      crumbs={crumbs}
      subtitle={view.detail?.subtitle?.(item)}
      badges={
        view.detail?.badge?.(item) ??
        view.detail?.badges?.map(
          (field) => typeof item[field] === 'string' && <StatusBadge key={field} field={field} value={item[field]} />,
        )
      }
      actions={<HeaderActions view={view} item={item} api={api} etag={etag} />}
    >
      <DetailTabs view={view} item={item} />
    </Page>
  )
}

function DetailSkeleton({ crumbs }: { crumbs: Array<{ title: string; to: string }> }) {
  const t = useWords()
  return (
    <Page title={t.words.loading} crumbs={crumbs} isPending>
      <Paper withBorder p="md">
        <div className="facts">
          {[70, 40, 55, 80, 35, 60].map((width) => (
            <Stack key={width} gap={6}>
              <Skeleton height={10} width={80} />
              <Skeleton height={14} width={`${width}%`} />
            </Stack>
          ))}
        </div>
      </Paper>
    </Page>
  )
}

function DetailTabs({ view, item }: { view: AnyView; item: Item }) {
  const t = useWords()
  const may = useMay()
  const hasView = useHasView()
  const navigate = useNavigate()
  const { tab: chosen } = useSearch({ strict: false })
  const tabs = (view.detail?.tabs ?? []).filter((tab) =>
    'view' in tab
      ? may(resources[tab.view].read) && hasView(tab.view)
      : (tab.permission === undefined || may(tab.permission)) && (tab.when?.(item) ?? true),
  )
  const list = useChosenInSight(chosen)
  const glimpsed = tabs.filter((tab): tab is RelatedTab => 'view' in tab && tab.glimpse !== undefined)
  const glimpses = glimpsed.length > 0 && (
    <div className="glimpses">
      {glimpsed.map((tab) => (
        <Suspense key={tab.key}>
          <Glimpse tab={tab} item={item} />
        </Suspense>
      ))}
    </div>
  )
  const facts = <Facts view={view} item={item} glimpses={glimpses} />
  if (tabs.length === 0) return facts
  const active = tabs.some(({ key }) => key === chosen) ? chosen : 'overview'
  return (
    <Tabs
      value={active ?? 'overview'}
      onChange={(tab) =>
        void navigate({
          to: '.',
          search: tab === 'overview' || tab === null ? {} : { tab },
          resetScroll: false,
        })
      }
      keepMounted={false}
    >
      <Tabs.List className="detail-tabs" ref={list}>
        <Tabs.Tab value="overview">{t.detail.overview}</Tabs.Tab>
        {tabs.map((tab) => (
          <Tabs.Tab
            key={tab.key}
            value={tab.key}
            rightSection={
              <Suspense>
                {'view' in tab ? <RelatedCount tab={tab} item={item} /> : <Count value={tab.count?.(item)} />}
              </Suspense>
            }
          >
            {titleOf(tab, t)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="overview">{facts}</Tabs.Panel>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.key} value={tab.key}>
          {'view' in tab ? (
            <Suspense fallback={<Skeleton height={200} />}>
              <Related tab={tab} item={item} of={view.resource} />
            </Suspense>
          ) : (
            tab.render(item)
          )}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

export function Facts({ view, item, glimpses }: { view: AnyView; item: Item; glimpses?: ReactNode }) {
  const t = useWords()
  return (
    <Stack gap="md">
      {isSeenInPart(view.resource, item) && (
        <Alert color="gray" icon={<IconInfoCircle size={18} aria-hidden />}>
          {t.detail.inPart}
        </Alert>
      )}
      {view.detail?.lead?.(item)}
      {view.detail?.sections.map((section, index) => {
        const facts = section.facts.map((def) => shownOf(view, t, def))
        // A heading over nothing says nothing.
        if (section.title && !facts.some((fact) => isFilled(item, fact))) return null
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: sections never move
          <Paper key={index} withBorder p="md">
            {section.title && (
              <Title order={2} size="h5" mb="sm">
                {section.title(t)}
              </Title>
            )}
            <SectionFacts view={view} item={item} facts={facts} look={section.look} />
          </Paper>
        )
      })}
      {view.detail?.extra?.(item)}
      {glimpses}
      <Origin item={item} view={view} />
    </Stack>
  )
}

/** What people fill in; all else comes of itself, or by what is done with the item. */
const isAsked = ({ form = [] }: AnyView, key: string): boolean =>
  form.some(({ fields }) => fields.some((def) => (typeof def === 'string' ? def : def.field) === key))

/** What is known, each with its name; what nobody has filled in yet takes one line together. */
function SectionFacts({
  view,
  item,
  facts,
  look,
}: {
  view: AnyView
  item: Item
  facts: readonly Shown[]
  look: string | undefined
}) {
  const t = useWords()
  const filled = facts.filter((fact) => isFilled(item, fact))
  // What is absent is not seen, which says nothing of whether it is filled in.
  const others = facts.filter(
    (fact) => !isFilled(item, fact) && item[fact.key] !== undefined && isAsked(view, fact.key),
  )
  return (
    <>
      {filled.length > 0 && (
        <dl className="facts" data-look={look}>
          {filled.map(({ key, title, render }) => (
            <div key={key}>
              <dt>{title}</dt>
              <dd>{render ? render(item) : <Value field={key} value={item[key]} resource={view.resource} />}</dd>
            </div>
          ))}
        </dl>
      )}
      {others.length > 0 && (
        <p className="not-filled">
          {t.detail.notFilled}: {others.map(({ title }) => title).join(', ')}
        </p>
      )}
    </>
  )
}

const isFilled = (item: Item, { key, field, render }: Shown): boolean =>
  !isNothing(item[key]) || key.startsWith('last_') || (render !== undefined && field === undefined)

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** What is never changed has no history. */
const unchanging: ReadonlySet<string> = new Set(['audit-log', 'access-events'])

/** When it was made and changed, and the identifier that integrators ask for. */
function Origin({ item, view }: { item: Item; view: AnyView }) {
  const t = useWords()
  const may = useMay()
  const hasHistory = may('audit-log:read') && !unchanging.has(view.resource.noun)
  const { created_at: createdAt, updated_at: updatedAt } = item
  return (
    <Group gap="lg" className="origin">
      {typeof createdAt === 'string' && (
        <Text size="xs" c="dimmed">
          {t.detail.created} <Moment at={createdAt} />
        </Text>
      )}
      {typeof updatedAt === 'string' && updatedAt !== createdAt && (
        <Text size="xs" c="dimmed">
          {t.detail.changed} <Moment at={updatedAt} />
        </Text>
      )}
      {hasHistory && (
        <Anchor
          size="xs"
          renderRoot={(props) => <Link to="/audit-log" search={{ resource_id: `eq.${item.id}` }} {...props} />}
        >
          {t.identity.history}
        </Anchor>
      )}
      <Group gap={4}>
        <Text size="xs" c="dimmed" className="code">
          {item.id}
        </Text>
        <CopyIcon value={item.id} label={t.detail.copyIdentifier} />
      </Group>
    </Group>
  )
}

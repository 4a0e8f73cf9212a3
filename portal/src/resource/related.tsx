import { Anchor, Badge, Group, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { type Item, listOptions } from '../api/queries.ts'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import { columnsOf } from './columns.ts'
import type { AnyItem, TabDef } from './define-view.ts'
import { FormDrawer } from './forms/form-drawer-lazy.ts'
import { useView } from './known-views.ts'
import { readListState } from './list-state.ts'
import { ResourceList } from './resource-list.tsx'
import { apiOf, isSeenInPart, type Noun, type Resource } from './resources.ts'
import { DataTable } from './table.tsx'

export const titleOf = (tab: TabDef<AnyItem>, t: ReturnType<typeof useWords>): string =>
  tab.title?.(t) ?? ('view' in tab ? t.resources[tab.view].many : tab.key)

export function Count({ value }: { value: number | null | undefined }) {
  const format = useFormat()
  if (value === null || value === undefined) return null
  return (
    <Badge variant="default" size="sm" className="number">
      {format.number(value)}
    </Badge>
  )
}

export type RelatedTab = Extract<TabDef<AnyItem>, { view: Noun }>

/** Where the list of a tab is, and what narrows it to this item. */
function useRelated({ view: noun, by, within, isNested }: RelatedTab, { id }: Item) {
  const view = useView(noun)
  const { isBare } = view.resource
  const fixed = useMemo(() => {
    if (within !== undefined) return { [within]: id }
    return by === undefined ? {} : { [by]: isBare ? id : `eq.${id}` }
  }, [by, within, isBare, id])
  return { view, fixed, parentId: isNested ? id : undefined }
}

/** Asked just as the tab asks: when it is opened its list is there. */
function useFirstPage(tab: RelatedTab, item: Item) {
  const { view, fixed, parentId } = useRelated(tab, item)
  const { query } = useMemo(() => readListState(view, {}, fixed), [view, fixed])
  return { view, fixed, data: useQuery(listOptions(apiOf(view.resource, parentId), query)).data }
}

/** How many there are; none is not said where some may be elsewhere, unseen. */
export function RelatedCount({ tab, item }: { tab: RelatedTab; item: Item }) {
  const { data } = useFirstPage(tab, item)
  return <Count value={data?.total === 0 && data.limitedTo ? undefined : data?.total} />
}

const GLIMPSED = 5
/** The item stays on the page; and a row of what has no page leads nowhere. */
const nowhere = () => undefined

/** The first of them on the overview; none: nothing, the tab says so. */
export function Glimpse({ tab, item }: { tab: RelatedTab; item: Item }) {
  const t = useWords()
  const format = useFormat()
  const { view, fixed, data } = useFirstPage(tab, item)
  const columns = columnsOf(view, t, fixed).filter(({ key }) => tab.glimpse?.includes(key))
  if (data?.total === 0) return null
  const title = titleOf(tab, t)
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb={6}>
        <Title order={2} size="h5">
          {title}
        </Title>
        {data && data.total > GLIMPSED && (
          <Anchor
            size="xs"
            renderRoot={(props) => <Link to="." search={{ tab: tab.key }} resetScroll={false} {...props} />}
          >
            {t.detail.showAll(format.number(data.total))}
          </Anchor>
        )}
      </Group>
      <DataTable
        caption={title}
        resource={view.resource}
        columns={columns}
        items={data?.items.slice(0, GLIMPSED)}
        skeletonRows={1}
        linkTo={view.detail ? undefined : nowhere}
      />
    </section>
  )
}

/** A list of another resource, narrowed to this item; what is created there belongs to it. */
export function Related({ tab, item, of }: { tab: RelatedTab; item: Item; of: Resource }) {
  const { view, fixed, parentId } = useRelated(tab, item)
  const { by, also, tools } = tab
  // What belongs elsewhere is not added to from here; access to one's own places is given to anybody.
  const isCreatedHere = !tab.isCreatedAbove && (tab.view === 'access-grants' || !isSeenInPart(of, item))
  const [isCreating, setCreating] = useState(false)
  const initial = useMemo(() => ({ ...also?.(item), ...(by === undefined ? {} : { [by]: item.id }) }), [by, also, item])
  return (
    <>
      <ResourceList
        view={view}
        fixed={fixed}
        parentId={parentId}
        tools={tools?.(item)}
        isOver={tab.isOver?.(item)}
        onCreate={isCreatedHere ? () => setCreating(true) : undefined}
      />
      {isCreating && (
        <Suspense>
          <FormDrawer
            view={view}
            api={apiOf(view.resource, parentId)}
            initial={initial}
            onCreated={nowhere}
            onClose={() => setCreating(false)}
          />
        </Suspense>
      )}
    </>
  )
}

import { Button, Group, Pagination, Select, Stack, Text } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconInbox, IconPlus, IconSearchOff } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useMay, useMe } from '../api/me.ts'
import { type Item, type ListQuery, listOptions } from '../api/queries.ts'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'
import { ErrorNote } from '../shell/error-note.tsx'
import { LimitNote, useAbsence } from './absence.tsx'
import { possibleFor, RowMenu } from './actions.tsx'
import { columnsOf, type Shown } from './columns.ts'
import type { AnyView } from './define-view.ts'
import { EmptyState } from './empty-state.tsx'
import { FilterButton, FilterPills } from './filters.tsx'
import { SearchInput } from './inputs/search-input.tsx'
import { BulkBar, canBeChosen } from './list/bulk-bar.tsx'
import { ColumnMenu } from './list/column-menu.tsx'
import { useFitting } from './list/fitting.ts'
import { useKept } from './list/kept.ts'
import { ListMenu } from './list/list-menu.tsx'
import { usePrint } from './list/print.ts'
import { type ListState, useListState } from './list-state.ts'
import { useMayCreate } from './own-places.ts'
import { referenceOptions } from './reference.tsx'
import { apiOf, targetOf } from './resources.ts'
import { DataTable } from './table.tsx'

interface ResourceListProps {
  view: AnyView
  /** Filters that belong to where the list is shown, such as the building on whose page it is. */
  fixed?: ListQuery
  parentId?: string | undefined
  /** Beside the button that creates, where the list is shown. */
  tools?: ReactNode
  /** Rows are there to be read alone. */
  isOver?: boolean | undefined
  onCreate?: (() => void) | undefined
}

const nothingFixed: ListQuery = {}

/** Search, filters, table and pages of any resource; its state is in the address. */
export function ResourceList({
  view,
  fixed = nothingFixed,
  parentId,
  tools,
  isOver = false,
  onCreate: create,
}: ResourceListProps) {
  const t = useWords()
  const words = t.resources[view.resource.noun]
  const state = useListState(view, fixed)
  const mayCreate = useMayCreate()
  const onCreate = view.form && mayCreate(view.resource) ? create : undefined
  const api = apiOf(view.resource, parentId)
  const { data, error, isPlaceholderData, refetch } = useQuery(listOptions(api, state.query))
  const printing = usePrint(api, state.query)
  const [isDense, setDense] = useKept('dense', false)
  const { selection, chosen } = useSelection(view, data?.items)
  const columns = useMemo(() => columnsOf(view, t, fixed), [view, t, fixed])
  const { tooMany, frame } = useFitting()
  const shown = useMemo(() => {
    const usual = columns.filter(({ isExtra }) => !isExtra)
    const chosen = state.columns
      ? columns.filter(({ key }) => state.columns?.includes(key))
      : usual.slice(0, Math.max(2, usual.length - tooMany))
    return chosen.length > 0 ? chosen : columns.slice(0, 1)
  }, [columns, state.columns, tooMany])
  const fetchAhead = useFetchAhead(view, api, state, shown, data?.pages)
  const hasActions = useHasRowActions(view, data?.items) && !isOver
  const rowActions = useMemo(
    () => (hasActions ? (item: Item) => <RowMenu view={view} item={item} api={api} /> : undefined),
    [view, api, hasActions],
  )
  const isNarrowed = state.search !== '' || Object.keys(state.filters).length > 0
  const isEmpty = data !== undefined && data.items.length === 0
  const hasTools = !isEmpty || isNarrowed || state.page > 1
  const hasHead = hasTools || onCreate !== undefined || view.tools !== undefined || Boolean(tools)
  return (
    <Stack gap="sm">
      {hasHead && (
        <Group gap="xs" className="list-tools no-print">
          {hasTools && <ListSearch label={t.list.search(words.search ?? words.many)} state={state} />}
          {hasTools && <FilterButton view={view} state={state} fixed={fixed} />}
          <Group gap="xs" ml="auto">
            {tools}
            {view.tools?.()}
            {hasTools && <ColumnMenu columns={columns} shown={shown} state={state} />}
            {hasTools && (
              <ListMenu
                view={view}
                isDense={isDense}
                onDense={setDense}
                onPrint={() => void printing.print()}
                fileOf={hasFiles(view) ? (format) => fileOf(api, state.query, format) : undefined}
              />
            )}
            {onCreate && (!isEmpty || isNarrowed) && <CreateButton view={view} onCreate={onCreate} />}
          </Group>
        </Group>
      )}
      <FilterPills view={view} state={state} />
      {data && view.note?.(data)}
      {error ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : isEmpty ? (
        <Empty
          view={view}
          state={state}
          isNarrowed={isNarrowed}
          isPart={fixed !== nothingFixed}
          onCreate={onCreate}
          places={data.limitedTo}
        />
      ) : (
        <>
          {selection && chosen.length > 0 && (
            <BulkBar view={view} api={api} items={chosen} onClear={() => selection.set(new Set())} />
          )}
          <DataTable
            caption={words.many}
            frame={frame}
            selection={printing.items || isOver ? undefined : selection}
            isDense={isDense}
            resource={view.resource}
            columns={shown}
            items={printing.items ?? data?.items}
            skeletonRows={10}
            order={state.order}
            onOrder={(order) => state.set({ order })}
            isStale={isPlaceholderData}
            linkTo={view.detail ? undefined : () => undefined}
            rowActions={rowActions}
          />
          <Footer state={state} total={data?.total} pages={data?.pages} onPoint={fetchAhead} />
          <LimitNote resource={view.resource} places={data?.limitedTo} />
        </>
      )}
    </Stack>
  )
}

/** Spaces are listed in the shape of the specification, which knows no files. */
const hasFiles = ({ resource }: AnyView): boolean => resource.noun !== 'spaces'

/** All of the list, whatever page of it is shown. */
function fileOf(api: string, { page: _, limit: __, ...query }: ListQuery, format: string): string {
  const given = Object.entries({ ...query, format }).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) => (one === undefined ? [] : [[name, String(one)]])),
  )
  return `${api}?${new URLSearchParams(given)}`
}

/** Rows are chosen where something can be done with one of them. What has gone from the page is not chosen. */
function useSelection(view: AnyView, items: readonly Item[] | undefined) {
  const may = useMay()
  const [ids, set] = useState<ReadonlySet<string>>(new Set())
  const { id: me } = useMe()
  const isOffered = (items ?? []).some((item) => canBeChosen(view, item, may, me))
  const selection = useMemo(() => (isOffered ? { ids, set } : undefined), [isOffered, ids])
  return { selection, chosen: (items ?? []).filter(({ id }) => ids.has(id)) }
}

/**
 * A resource without a page of its own is managed from its row: where this person can do something with any of them.
 */
function useHasRowActions(view: AnyView, items: readonly Item[] = []): boolean {
  const may = useMay()
  const { id: me } = useMe()
  if (view.detail) return false
  return items.some((item) => {
    const { actions, canEdit, canDelete } = possibleFor(view, item, may, me)
    return actions.length > 0 || canEdit || canDelete
  })
}

/**
 * Fetches a page before it is asked for, with the names that stand in it: the next one always, any other when it is
 * pointed at.
 */
function useFetchAhead(
  view: AnyView,
  api: string,
  { query, page }: ListState,
  shown: readonly Shown[],
  pages: number | undefined,
): (page: number) => void {
  const client = useQueryClient()
  const may = useMay()
  const fetch = useCallback(
    async (wanted: number) => {
      const options = listOptions(api, { ...query, page: String(wanted) })
      await client.prefetchQuery(options)
      const items = client.getQueryData(options.queryKey)?.items ?? []
      for (const field of new Set(shown.flatMap(({ key, madeOf }) => [key, ...madeOf]))) {
        const target = targetOf(field, view.resource)
        if (!target || !may(target.read)) continue
        for (const { [field]: id } of items)
          if (typeof id === 'string') void client.prefetchQuery(referenceOptions(target, id))
      }
    },
    [client, api, query, view, shown, may],
  )
  useEffect(() => {
    if (pages === undefined || page >= pages) return
    const timer = setTimeout(() => void fetch(page + 1), 100)
    return () => clearTimeout(timer)
  }, [fetch, page, pages])
  return useCallback((wanted) => void fetch(wanted), [fetch])
}

function ListSearch({ label, state }: { label: string; state: ListState }) {
  const [text, setText] = useState(state.search)
  const sent = useRef(state.search)
  const search = useDebouncedCallback((value: string) => {
    sent.current = value
    state.set({ search: value || undefined }, { isTyping: true })
  }, 200)
  // Back and forward change the address, and the input follows; its own words coming back are older than what is typed
  // since.
  useEffect(() => {
    if (state.search === sent.current) return
    sent.current = state.search
    setText(state.search)
  }, [state.search])
  return (
    <SearchInput
      label={label}
      value={text}
      onChange={(value) => {
        setText(value)
        search(value)
      }}
      className="list-search"
    />
  )
}

/** Present only for those who may create. */
export function CreateButton({ view, onCreate }: { view: AnyView; onCreate(): void }) {
  const t = useWords()
  const mayCreate = useMayCreate()
  const { one } = t.resources[view.resource.noun]
  if (!view.form || !mayCreate(view.resource)) return null
  return (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onCreate}>
      {view.createLabel?.(t) ?? t.form.create(one)}
    </Button>
  )
}

interface EmptyProps {
  view: AnyView
  state: ListState
  isNarrowed: boolean
  /** It is what belongs to something: there may be others. */
  isPart: boolean
  onCreate: (() => void) | undefined
  /** What the list is cut to. */
  places: readonly string[] | undefined
}

function Empty({ view, state, isNarrowed, isPart, onCreate, places }: EmptyProps) {
  const t = useWords()
  const absence = useAbsence()
  const { many, empty, none } = t.resources[view.resource.noun]
  if (isNarrowed) {
    const clear = () =>
      state.set({
        search: undefined,
        ...Object.fromEntries(Object.keys(state.filters).map((field) => [field, undefined])),
      })
    return (
      <EmptyState
        icon={<IconSearchOff size={28} aria-hidden />}
        title={t.list.nothingFound(many)}
        text={t.list.nothingFoundHint}
      >
        <LimitNote resource={view.resource} places={places} />
        <Button variant="default" onClick={clear}>
          {t.list.clearFilters}
        </Button>
      </EmptyState>
    )
  }
  if (state.page > 1) {
    return (
      <EmptyState icon={<IconInbox size={28} aria-hidden />} title={t.list.pastTheEnd}>
        <Button variant="default" onClick={() => state.set({})}>
          {t.list.firstPage}
        </Button>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<view.resource.icon size={28} aria-hidden />}
      title={absence(view.resource, none ?? (isPart ? t.list.nothingHere : t.list.nothingYet)(many))}
      // How one is made is for whoever may.
      text={onCreate || !view.form ? empty : undefined}
    >
      <LimitNote resource={view.resource} places={places} />
      {onCreate && <CreateButton view={view} onCreate={onCreate} />}
    </EmptyState>
  )
}

interface FooterProps {
  state: ListState
  total: number | undefined
  pages: number | undefined
  onPoint(page: number): void
}

function Footer({ state, total, pages = 0, onPoint }: FooterProps) {
  const t = useWords()
  const format = useFormat()
  if (total === undefined) return null
  const from = (state.page - 1) * state.limit + 1
  const to = Math.min(total, state.page * state.limit)
  return (
    <Group justify="space-between" gap="xs" className="list-footer no-print">
      <Text size="sm" c="dimmed" role="status">
        {t.list.range(format.number(from), format.number(to), format.number(total))}
      </Text>
      {total > (state.limits[0] ?? 0) && (
        <Group gap="sm">
          <Select
            aria-label={t.list.perPage}
            data={state.limits.map(String)}
            value={String(state.limit)}
            onChange={(limit) => state.set({ limit: limit ?? undefined })}
            allowDeselect={false}
            size="xs"
            w={72}
            // Its list would be measured and laid out before anybody has opened it.
            comboboxProps={{ keepMounted: false }}
          />
          <Pagination
            total={pages}
            value={state.page}
            onChange={(page) => state.set({ page: page === 1 ? undefined : String(page) }, { keepsPage: true })}
            size="sm"
            siblings={1}
            aria-label={t.list.pages}
            getItemProps={(page) => ({
              onPointerEnter: () => page > 1 && onPoint(page),
              onFocus: () => page > 1 && onPoint(page),
            })}
            getControlProps={(control) => ({ 'aria-label': control === 'previous' ? t.list.previous : t.list.next })}
          />
        </Group>
      )}
    </Group>
  )
}

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ListQuery } from '../api/queries.ts'
import type { Address } from '../typed.ts'
import type { AnyView } from './define-view.ts'

const LIMITS = [25, 50, 100] as const
const DEFAULT_LIMIT = 25

export interface ListState {
  page: number
  limit: number
  limits: readonly number[]
  search: string
  /** As in the API: `name.desc`. */
  order: string
  filters: Record<string, string>
  columns: readonly string[] | undefined
  /** What the API is asked. */
  query: ListQuery
  set(change: Record<string, string | undefined>, options?: { isTyping?: boolean; keepsPage?: boolean }): void
}

/** What an address says of a table, in the words of the API. */
export function readListState(view: AnyView, params: Address, fixed: ListQuery = {}): Omit<ListState, 'set'> {
  const page = Math.max(1, Number.parseInt(params.page ?? '1', 10) || 1)
  const limit = LIMITS.find((offered) => String(offered) === params.limit) ?? DEFAULT_LIMIT
  const search = params.search ?? ''
  const order = view.resource.isBare ? '' : (params.order ?? view.order ?? '')
  const filters: Record<string, string> = {}
  for (const { field } of view.filters ?? []) {
    const value = params[field]
    if (value !== undefined && value !== '' && !(field in fixed)) filters[field] = value
  }
  const query: Record<string, string | readonly string[]> = { ...filters, ...fixed, limit: String(limit) }
  for (const { field, kind } of view.filters ?? [])
    if (kind === 'period' && filters[field]) query[field] = filters[field].split(',')
  if (page > 1) query.page = String(page)
  if (search !== '') query.search = search
  if (order !== '') query.order = order
  return { page, limit, limits: LIMITS, search, order, filters, columns: params.columns?.split(','), query }
}

/** The state of a table is the address: it can be shared, and goes back. */
export function useListState(view: AnyView, fixed: ListQuery = {}): ListState {
  const params = useSearch({ strict: false })
  const navigate = useNavigate()
  return useMemo(
    () => ({
      ...readListState(view, params, fixed),
      set(change, { isTyping = false, keepsPage = false } = {}) {
        void navigate({
          to: '.',
          search: (now: Address) => ({ ...now, ...(keepsPage ? {} : { page: undefined }), ...change }),
          replace: isTyping,
          resetScroll: false,
        })
      },
    }),
    [view, params, fixed, navigate],
  )
}

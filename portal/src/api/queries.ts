import { keepPreviousData, QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { askWho } from '../start.ts'
import { type Answer, ApiError, call } from './client.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // What the service refuses it refuses again; a broken connection may mend.
      retry: (count, error) => count < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
})

export type Item = Record<string, unknown> & { id: string }

export interface Page<T> {
  items: T[]
  total: number
  pages: number
  /** The places that it is cut to, by name; undefined: it is whole. */
  limitedTo?: string[] | undefined
  /** All that the answer says beside its rows. */
  meta: ListMeta
}

export interface ListMeta {
  pagination: Record<string, number>
  limited_to?: Array<{ name: string }>
  /** Of who can open something: keys that nobody can account for. Null: not seen, which is not none. */
  unaccounted_keys?: number | null
  unaccounted?: Array<{ key_id: string; number: string; key_type_code: string }> | null
}

/** The three shapes of a list's `meta` say the same in different words. */
function pageOf<T>({ data, meta }: Answer<T[], ListMeta>): Page<T> {
  const { pagination, limited_to: limits } = meta
  return {
    items: data,
    total: pagination.total_items ?? pagination.total ?? data.length,
    pages: pagination.total_pages ?? pagination.pages ?? 1,
    limitedTo: limits?.map(({ name }) => name),
    meta,
  }
}

/** Two conditions on one field are two values. */
export type ListQuery = Readonly<Record<string, string | readonly string[]>>

/** `G2.2 · 4` is how the portal writes a name: the dot between is no word to look for. */
const searched = (query: ListQuery): ListQuery =>
  typeof query.search === 'string' ? { ...query, search: query.search.split('·').join(' ').trim() } : query

const withQuery = (api: string, query: ListQuery): string => {
  const pairs = Object.entries(searched(query)).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one): [string, string] => [name, one]),
  )
  const text = new URLSearchParams(pairs).toString()
  return text === '' ? api : `${api}?${text}`
}

export const listOptions = <T = Item>(api: string, query: ListQuery) =>
  queryOptions({
    queryKey: ['list', api, query],
    queryFn: async ({ signal }) => pageOf(await call<T[], ListMeta>(withQuery(api, query), { signal })),
    placeholderData: keepPreviousData,
  })

export const itemOptions = <T = Item>(api: string, id: string) =>
  queryOptions({
    queryKey: ['item', api, id],
    queryFn: async ({ signal }) => {
      const { data, etag } = await call<T>(`${api}/${id}`, { signal })
      return { item: data, etag }
    },
  })

/** Any other answer that is read, such as an overview. */
export const readOptions = <T>(path: string) =>
  queryOptions({ queryKey: ['read', path], queryFn: async ({ signal }) => (await call<T>(path, { signal })).data })

export const meOptions = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => askWho(signal),
  staleTime: 60_000,
})

export interface Change {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
  contentType?: string
  etag?: string | undefined
}

/** Any change. Counts and composite texts everywhere may follow from it, so everything on the screen is read again. */
export function useChange<T = Item>() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ path, ...options }: Change) => call<T>(path, options),
    onSuccess: () => client.invalidateQueries(),
  })
}

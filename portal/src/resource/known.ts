import { type FetchQueryOptions, hashKey, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useReducer, useRef } from 'react'

/** What could not be fetched is asked for again after this long at the earliest. */
const AGAIN_MS = 60_000

/**
 * The answers to many questions, for a list whose rows come and go while it is scrolled: one subscription for all of
 * them, where one for each row would cost more than drawing it. They are asked for where they are missing or stale, and
 * the list is drawn again as they come.
 */
export function useKnown<T, K extends QueryKey>(
  wanted: readonly FetchQueryOptions<T, Error, T, K>[],
): Array<T | undefined> {
  const client = useQueryClient()
  const [, drawAgain] = useReducer((count: number) => count + 1, 0)
  const hashes = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    hashes.current = new Set(wanted.map(({ queryKey }) => hashKey(queryKey)))
    for (const options of wanted) {
      const state = client.getQueryState(options.queryKey)
      if (state?.status !== 'error' || Date.now() - state.errorUpdatedAt > AGAIN_MS) void client.prefetchQuery(options)
    }
  })
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ type, query: { queryHash } }) => {
        if ((type === 'updated' || type === 'removed') && hashes.current.has(queryHash)) drawAgain()
      }),
    [client],
  )
  return wanted.map(({ queryKey }) => client.getQueryData<T>(queryKey))
}

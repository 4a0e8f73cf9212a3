import { useQueries } from '@tanstack/react-query'
import type { AccessGrant } from '../api/generated/types.ts'
import { listOptions } from '../api/queries.ts'
import { resources } from '../resource/resources.ts'

const MOST = 100
export type GrantQuestion = Readonly<Record<string, string>>

interface Found {
  grants: AccessGrant[] | undefined
  /** There are more than are shown. */
  isCut: boolean
  error: Error | null
}

/** Grants in force or to come, by several questions at once: the API joins filters by "and" only. Undefined: not known yet what to ask. */
export function useGrants(questions: readonly GrantQuestion[] | undefined): Found {
  const results = useQueries({
    queries: (questions ?? []).map((question) =>
      listOptions<AccessGrant>(resources['access-grants'].api, { ...question, status: 'in.(active,scheduled)', limit: String(MOST) }),
    ),
  })
  const isKnown = questions !== undefined && results.every(({ data }) => data !== undefined)
  return {
    grants: isKnown ? results.flatMap(({ data }) => data?.items ?? []) : undefined,
    isCut: results.some(({ data }) => data !== undefined && data.total > MOST),
    error: results.find(({ error }) => error !== null)?.error ?? null,
  }
}

export const inList = (ids: readonly string[]): string => `in.(${ids.slice(0, MOST).join(',')})`

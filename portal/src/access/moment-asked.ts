import { useNavigate, useSearch } from '@tanstack/react-router'
import { createContext, use, useMemo } from 'react'
import type { ListQuery } from '../api/queries.ts'
import type { Address } from '../typed.ts'

/** What is asked about: a moment, and whoever or whatever the page is of. */
interface Asked {
  /** Undefined: now. */
  at: string | undefined
  individualId?: string | undefined
  accessPointId?: string | undefined
}

export const AskedContext = createContext<Asked>({ at: undefined })
export const useAsked = (): Asked => use(AskedContext)

/** Which moment of the address: the one asked about, or the one that it is compared with. */
export type MomentName = 'at' | 'with'

/** The moment in the address; none: now. */
export const useMoment = (name: MomentName = 'at'): string | undefined => useSearch({ strict: false })[name]

/** Changes the question in the address. Another question has other pages. */
export function useSetQuestion(): (change: Record<string, string | undefined>) => void {
  const navigate = useNavigate()
  return (change) =>
    void navigate({
      to: '.',
      search: (now: Address) => ({ ...now, page: undefined, ...change }),
      replace: true,
      resetScroll: false,
    })
}

/** A past moment is answered by the settings of then, one to come by those of now. */
export const momentQuery = (at: string | undefined): Record<string, string> =>
  at === undefined ? {} : isPast(at) ? { as_of: at } : { at }

export const isPast = (at: string): boolean => Date.parse(at) < Date.now()

export const useMomentQuery = (at: string | undefined): ListQuery => useMemo(() => momentQuery(at), [at])

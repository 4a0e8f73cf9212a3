import { useQueries, useQuery } from '@tanstack/react-query'
import type { AccessControlSystemsOverview, LockingSystemOverview, Permission } from '../../api/generated/types.ts'
import { useMay } from '../../api/me.ts'
import { type ListQuery, listOptions, readOptions } from '../../api/queries.ts'
import { type Noun, resources } from '../../resource/resources.ts'
import { useHasView } from '../../resource/views.tsx'

const counted = [
  'locations',
  'buildings',
  'spaces',
  'access-points',
  'individuals',
  'credentials',
  'keys',
  'access-groups',
  'access-grants',
] as const satisfies readonly Noun[]
export type Counted = (typeof counted)[number]
export type Totals = Partial<Record<Counted, number>>

/** How many there are of what I may see; undefined until it is known. */
export function useTotals(): Totals {
  const may = useMay()
  const hasView = useHasView()
  const visible = counted.filter((noun) => may(resources[noun].read) && hasView(noun))
  const results = useQueries({ queries: visible.map((noun) => listOptions(resources[noun].api, { limit: '1' })) })
  return Object.fromEntries(visible.flatMap((noun, index) => (results[index]?.data ? [[noun, results[index].data.total]] : [])))
}

const useAllowed = <T>(path: string, permission: Permission): T | undefined =>
  useQuery({ ...readOptions<T>(path), enabled: useMay()(permission) }).data

export const useLockingOverview = () => useAllowed<LockingSystemOverview>('/api/v1/locking-system/overview', 'locking-system:read')

export const useSystemsOverview = () =>
  useAllowed<AccessControlSystemsOverview>('/api/v1/access-control-systems/overview', 'access-control-systems:read')

/** How many of a list match; undefined until it is known, and for those who may not see it. */
export function useCount(noun: Noun, query: ListQuery): number | undefined {
  const may = useMay()
  return useQuery({ ...listOptions(resources[noun].api, { ...query, limit: '1' }), enabled: may(resources[noun].read) }).data?.total
}

import { useSuspenseQuery } from '@tanstack/react-query'
import type { Me, Permission } from './generated/types.ts'
import { meOptions } from './queries.ts'

/** Who is logged in. Inside the shell it is always known. */
export const useMe = (): Me => useSuspenseQuery(meOptions).data

/** What I may not do I do not see. True when it holds anywhere; the service decides about each place. */
export function useMay(): (permission: Permission | undefined) => boolean {
  const { permissions } = useMe()
  return (permission) => permission !== undefined && permissions.some((held) => held.permission === permission)
}

import { useSuspenseQuery } from '@tanstack/react-query'
import type { Me, Permission } from './generated/types.ts'
import { meOptions } from './queries.ts'

/** Who is logged in. Inside the shell it is always known. */
export const useMe = (): Me => useSuspenseQuery(meOptions).data

/** What lies in places. All else belongs to the organization, and a right that holds in some places only does not reach it. */
const placed = new Set([
  'locations',
  'buildings',
  'spaces',
  'access-points',
  'locking-system',
  'cylinders',
  'key-types',
  'keys',
  'access-control-systems',
  'access-grants',
])

/** What I may not do I do not see. True when it holds anywhere that matters; the service decides about each place. */
export function useMay(): (permission: Permission | undefined) => boolean {
  const { permissions } = useMe()
  return (permission) =>
    permission !== undefined &&
    permissions.some(
      (held) =>
        held.permission === permission && (held.scope === 'organization' || placed.has(permission.slice(0, permission.indexOf(':')))),
    )
}

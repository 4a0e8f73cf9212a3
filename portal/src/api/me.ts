import { createContext, use } from 'react'
import type { Me, Permission } from './generated/types.ts'

/** Handed down by the shell: a table asks a hundred times who is looking. */
export const MeContext = createContext<Me | undefined>(undefined)

/** Who is logged in. Inside the shell it is always known. */
export function useMe(): Me {
  const me = use(MeContext)
  if (!me) throw new Error('nobody is logged in here')
  return me
}

/**
 * What lies in places or has to do with them. All else is the organization's, and a right that holds in some places
 * only does not reach it.
 */
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
  'role-assignments',
  'individuals',
  'access-groups',
  'credentials',
  'access-decisions',
  'lockdowns',
  'access-requests',
  'access-events',
  'alarms',
  'commands',
  'presence',
  'visits',
  'access-reviews',
  'floor-plans',
])

/** What is the whole organization's and read from any place: a grant that is seen says by it when it holds. */
const shared: ReadonlySet<string> = new Set(['calendars:read', 'schedules:read'])

export type May = (permission: Permission | 'self' | undefined) => boolean

const known = new WeakMap<Me, May>()

/** What I may not do I do not see. True when it holds anywhere that matters; the service decides about each place. */
export function mayOf(me: Me): May {
  const may = known.get(me)
  if (may) return may
  const held = me.permissions.filter(
    ({ permission, scope }) =>
      scope === 'organization' || placed.has(permission.slice(0, permission.indexOf(':'))) || shared.has(permission),
  )
  const names = new Set<string | undefined>(['self', ...held.map(({ permission }) => permission)])
  const made: May = (permission) => names.has(permission)
  known.set(me, made)
  return made
}

export const useMay = (): May => mayOf(useMe())

/** Whether I may do it in some places only: what I do not see may be elsewhere. */
export function useIsLimited(): May {
  const { permissions } = useMe()
  return (permission) =>
    !shared.has(String(permission)) &&
    permissions.some((held) => held.permission === permission && held.scope === 'places')
}

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

/** What I may not do I do not see. True when it holds anywhere; the service decides about each place. */
export function useMay(): (permission: Permission | 'self' | undefined) => boolean {
  const { permissions } = useMe()
  return (permission) => permission === 'self' || permissions.some((held) => held.permission === permission)
}

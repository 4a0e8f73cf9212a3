import { IconArrowsMove, IconPlayerPause, IconPlayerPlay, IconUserShield } from '@tabler/icons-react'
import type { ActionDef } from '../resource/define-view.ts'
import { type OwnOf, wordedAction } from '../resource/worded-action.ts'

type Own<T, A extends 'people' | 'identity' | 'estate'> = Omit<OwnOf<T, A>, 'icon' | 'done'>

/** Out of use for a while. */
export const suspend = <T>(area: 'people' | 'identity', own: Own<T, typeof area>): ActionDef<T> =>
  wordedAction(area, 'suspend', { icon: IconPlayerPause, isDangerous: true, done: 'suspended', ...own })

/** And back. */
export const reactivate = <T>(area: 'people' | 'identity', own: Own<T, typeof area>): ActionDef<T> =>
  wordedAction(area, 'reactivate', { icon: IconPlayerPlay, isPrimary: true, done: 'reactivated', ...own })

/** `by` holds in an assignment whose role it is. */
export const assignRole = <T>(by: 'user_id' | 'service_user_id'): ActionDef<T> => ({
  name: 'assign-role',
  label: (t) => t.identity.assignRole,
  icon: IconUserShield,
  permission: 'role-assignments:write',
  isPrimary: true,
  creates: { view: 'role-assignments', by },
  title: (t) => t.identity.assignRole,
  done: (t) => t.identity.roleAssigned,
})

/** To another place in the tree of places. */
export const move = <T>(own: Own<T, 'estate'>): ActionDef<T> =>
  wordedAction('estate', 'move', { icon: IconArrowsMove, done: 'moved', ...own })

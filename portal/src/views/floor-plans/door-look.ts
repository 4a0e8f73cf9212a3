import {
  type Icon,
  IconBan,
  IconBellRinging,
  IconDoor,
  IconKey,
  IconLock,
  IconLockOpen,
  IconPlugConnectedX,
  IconRun,
  IconShieldLock,
} from '@tabler/icons-react'
import { keysOf } from '../../typed.ts'
import type { Placed } from './plan-queries.ts'

/** How a door looks on a plan: what matters most of how it stands. */
export type Look = keyof typeof looks

/**
 * Each by a shape and a sign of its own as well: nobody has to tell them apart by colour. Shapes are 32 wide and high.
 */
export const looks = {
  alarm: { icon: IconBellRinging, shape: 'M16 1 31 29H1Z' },
  offline: { icon: IconPlugConnectedX, shape: 'M6 6H26V26H6Z' },
  evacuation: { icon: IconRun, shape: 'M16 1 30 12V30H2V12Z' },
  locked_down: { icon: IconShieldLock, shape: 'M10 2H22L30 10V22L22 30H10L2 22V10Z' },
  blocked: { icon: IconBan, shape: 'M16 1 31 16 16 31 1 16Z' },
  open: { icon: IconDoor, shape: 'M9 3H23L31 16 23 29H9L1 16Z' },
  unlocked: {
    icon: IconLockOpen,
    shape: 'M10 3H22A7 7 0 0 1 29 10V22A7 7 0 0 1 22 29H10A7 7 0 0 1 3 22V10A7 7 0 0 1 10 3Z',
  },
  locked: { icon: IconLock, shape: 'M16 2A14 14 0 0 1 16 30 14 14 0 0 1 16 2Z' },
  mechanical: { icon: IconKey, shape: 'M16 5A11 11 0 0 1 16 27 11 11 0 0 1 16 5Z' },
} satisfies Record<string, { icon: Icon; shape: string }>

export const allLooks = keysOf(looks)

const opened = new Set(['unlocked', 'unlocked_timed', 'held_open'])

export function lookOf(door: NonNullable<Placed['access_point']>): Look {
  if (door.in_alarm) return 'alarm'
  // What is said of a door that nobody hears from would be a guess.
  if (door.connectivity === 'unsupervised') return 'mechanical'
  if (door.connectivity !== 'online') return 'offline'
  if (door.mode === 'evacuation' || door.mode === 'locked_down' || door.mode === 'blocked') return door.mode
  if (door.position === 'open') return 'open'
  return opened.has(door.mode) || door.lock_state === 'unlocked' ? 'unlocked' : 'locked'
}

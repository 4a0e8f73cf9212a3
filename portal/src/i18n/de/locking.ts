import type { Messages } from '../messages.ts'

export const locking: Messages['locking'] = {}

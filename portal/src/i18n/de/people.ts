import type { Messages } from '../messages.ts'

export const people: Messages['people'] = {}

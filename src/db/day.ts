import { dayIn } from '../core/time/time-zone.ts'
import type { OrgHandle } from './org.ts'
import { placesOf } from './places.ts'

const DAY = 86_400_000

/** The day it is where the organization is; days that are due, over or near are counted from it. */
export const todayOf = async (handle: OrgHandle): Promise<string> =>
  dayIn((await placesOf(handle)).organizationZone, handle.now)

export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)

import { type ScheduleFacts, scheduleState } from '../schedule.ts'
import type { Window } from '../window.ts'
import type { Facts } from './facts.ts'

/** The next moment after `at` at which the clock may change an answer: a window, schedule or emergency begins or ends. */
export function nextMoment(facts: Facts, at: string): string | undefined {
  const { door, individual, presence } = facts
  const earliest = new Earliest(at)
  if (individual) earliest.window(individual)
  for (const credential of facts.credentials) earliest.window(credential)
  for (const grant of facts.grants) {
    if (grant.revoked_at !== null) continue
    earliest.window(grant)
    if (grant.group) earliest.window(grant.group)
    if (grant.schedule) earliest.schedule(grant.schedule, door.time_zone)
  }
  if (door.unlock_schedule) earliest.schedule(door.unlock_schedule, door.time_zone)
  for (const { since, until } of facts.emergencies) {
    earliest.text(since)
    earliest.text(until)
  }
  const { passback, passback_minutes } = door.space
  if (passback === 'timed' && presence.since !== null) earliest.instant(Date.parse(presence.since) + (passback_minutes ?? 0) * 60_000)
  return earliest.found
}

class Earliest {
  found: string | undefined
  private readonly after: string
  private readonly instantNow: number

  constructor(after: string) {
    this.after = after
    this.instantNow = Date.parse(after)
  }

  text(moment: string | null): void {
    if (moment !== null && moment > this.after && (this.found === undefined || moment < this.found)) this.found = moment
  }

  instant(moment: number | null): void {
    if (moment !== null) this.text(new Date(moment).toISOString())
  }

  window({ valid_from, valid_until }: Window): void {
    this.text(valid_from)
    this.text(valid_until)
  }

  schedule(schedule: ScheduleFacts, zone: string): void {
    const { open, until, next } = scheduleState(schedule, schedule.time_zone ?? zone, this.instantNow)
    this.instant(open ? until : next)
  }
}

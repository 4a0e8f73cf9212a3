import { type ScheduleFacts, scheduleState } from '../time/schedule.ts'
import type { Window } from '../time/window.ts'
import { isInForce } from './case.ts'
import type { Judgement } from './judgement.ts'
import type { Reason } from './reasons.ts'

/** What only the hour of a grant can mend: another may open, a deny may close. Nothing else that stands in the way asks a schedule. */
const BY_THE_HOUR: ReadonlySet<Reason> = new Set([
  'out_of_time_range',
  'denied_by_rule',
  'locked_down',
  'passback',
  'pin_required',
  'second_person_required',
  'no_escort',
])

/**
 * The next moment at which the clock may turn an answer round: a window, schedule or emergency begins or ends. Schedules that cannot are
 * passed over, or a daily one would hide what comes in a year.
 */
export function nextMoment({ case: here, isGranted, opener, obstacles }: Judgement): string | undefined {
  const { facts, at, rights } = here
  const { door, individual, presence } = facts
  const earliest = new Earliest(at)
  if (individual) earliest.window(individual)
  for (const credential of facts.credentials) earliest.window(credential)
  const isByGrant = isGranted && !opener
  const asksSchedules = obstacles.every(({ reason }) => BY_THE_HOUR.has(reason))
  for (const grant of facts.grants) {
    if (grant.revoked_at !== null) continue
    earliest.window(grant)
    if (grant.group) earliest.window(grant.group)
    if (!grant.schedule || !asksSchedules || !isInForce(grant, at)) continue
    // While one grant gives access, others can only add to it; a deny can take it away.
    if (!isByGrant || grant.effect === 'deny' || grant === rights.allow) earliest.schedule(grant.schedule, door.time_zone)
  }
  // A window that waits for its first person does not unlock by the clock.
  const isWaitingForSomebody = door.first_person_in && here.mode !== 'unlocked'
  if (door.unlock_schedule && !isByGrant && !isWaitingForSomebody) earliest.schedule(door.unlock_schedule, door.time_zone)
  if (door.override !== null) earliest.text(door.override_until)
  for (const { since, until } of facts.emergencies) {
    earliest.text(since)
    earliest.text(until)
  }
  const { passback, passback_minutes } = door.space
  if (passback === 'timed' && presence.since !== null) earliest.instant(Date.parse(presence.since) + (passback_minutes ?? 0) * 60_000)
  return earliest.found
}

const MINUTE_MS = 60_000

/**
 * Until when an answer stays the same to the letter, if nothing but the clock moves: sentences tell the minute, and schedules turn at
 * full ones.
 */
export function sameUntil(judgement: Judgement): string {
  const minute = new Date((Math.floor(judgement.case.instant / MINUTE_MS) + 1) * MINUTE_MS).toISOString()
  const next = nextMoment(judgement)
  return next !== undefined && next < minute ? next : minute
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

import { LAST_INSTANT } from '../time/instant.ts'
import { type ScheduleFacts, scheduleState } from '../time/schedule.ts'
import type { Window } from '../time/window.ts'
import { type Case, isInForce } from './case.ts'
import type { GrantFact } from './facts.ts'
import type { Judgement } from './judgement.ts'
import type { Reason } from './reasons.ts'

/**
 * The next moment at which the clock may turn an answer round; until then it cannot. What is denied needs everything
 * out of its way at once, so of all that stands there the last to go is waited for: a daily schedule does not hide what
 * comes in a year.
 */
export function nextMoment(judgement: Judgement): string | undefined {
  const { case: here, isGranted, obstacles } = judgement
  if (isGranted) return endOf(judgement)
  const opening = openingOf(here)
  let mended = ''
  for (const { reason } of obstacles) {
    const moment = (mending[reason] ?? never)(here)
    if (moment === undefined) return opening
    if (moment > mended) mended = moment
  }
  return opening !== undefined && opening < mended ? opening : mended
}

/** When what is granted may end. */
function endOf({ case: here, opener }: Judgement): string | undefined {
  const { facts, at, rights } = here
  const earliest = new Earliest(here)
  if (opener) return opener.reason === 'granted' ? undefined : openingOf(here)
  if (facts.individual) earliest.window(facts.individual)
  for (const credential of facts.credentials) earliest.window(credential)
  for (const grant of facts.grants) {
    if (grant.revoked_at !== null) continue
    // While one grant gives access, others can only add to it; a deny can take it away.
    if (grant.effect === 'deny') earliest.beginning(grant)
  }
  if (rights.allow) byAllow(here, rights.allow, earliest)
  earliest.emergencies()
  for (const one of facts.companions) earliest.text(one.turnsAfter(at) ?? null)
  return earliest.found
}

/** When a grant that gives access ends; and where others make up for its hours, when they do. */
function byAllow(here: Case, allow: GrantFact, earliest: Earliest): void {
  const steady = here.facts.grants.filter((grant) => isSteady(grant, allow, here))
  earliest.end(allow, steady.length === 0)
  for (const grant of steady) earliest.end(grant, false)
}

/** One that asks for no more and knows no hours: with it the hours of the other do not matter. */
const isSteady = (grant: GrantFact, other: GrantFact, { at, lockdown }: Case): boolean =>
  grant.effect === 'allow' &&
  grant.schedule === null &&
  isInForce(grant, at) &&
  (!grant.requires_pin || other.requires_pin) &&
  (!grant.requires_second_person || other.requires_second_person) &&
  (!lockdown || grant.during_lockdown)

/** When the door's mode may change: it may open, or cease to be open, to everybody. */
export function openingOf(here: Case): string | undefined {
  const { door } = here.facts
  const earliest = new Earliest(here)
  earliest.emergencies()
  if (here.override !== null) earliest.text(door.override_until)
  // A window that waits for its first person does not unlock by the clock. In an emergency, and where somebody has set
  // it, no schedule counts.
  const isByClock = here.mode === 'unlocked' || (here.mode === 'locked' && !door.first_person_in)
  if (door.unlock_schedule && here.override === null && isByClock) earliest.schedule(door.unlock_schedule)
  return earliest.found
}

/** When something that stands in the way may be gone, if the clock alone can do that. */
type Mending = (here: Case) => string | undefined

const never: Mending = () => undefined

const byPerson: Mending = (here) => {
  const earliest = new Earliest(here)
  if (here.facts.individual) earliest.window(here.facts.individual)
  return earliest.found
}

/** Of several credentials, which one counts depends on what the grants ask for. */
const byCredential: Mending = (here) => {
  const { credentials, grants } = here.facts
  const earliest = new Earliest(here)
  for (const credential of credentials) earliest.window(credential)
  if (credentials.length > 1) for (const grant of grants) earliest.beginning(grant)
  return earliest.found
}

const byGrants =
  (isOneOf: (grant: GrantFact) => boolean): Mending =>
  (here) => {
    const earliest = new Earliest(here)
    for (const grant of here.facts.grants)
      if (grant.effect === 'allow' && grant.revoked_at === null && isOneOf(grant)) earliest.beginning(grant)
    return earliest.found
  }

/** All that deny now have to end. */
const byDenies: Mending = (here) => {
  let last = ''
  for (const grant of here.facts.grants) {
    if (grant.effect !== 'deny' || !isInForce(grant, here.at) || !(here.stateOf(grant)?.open ?? true)) continue
    const earliest = new Earliest(here)
    earliest.end(grant, true)
    if (earliest.found === undefined) return undefined
    if (earliest.found > last) last = earliest.found
  }
  return last === '' ? undefined : last
}

const byLockdown: Mending = (here) => {
  const earliest = new Earliest(here)
  earliest.emergencies()
  earliest.text(byGrants(({ during_lockdown }) => during_lockdown)(here) ?? null)
  return earliest.found
}

const byPassback: Mending = (here) => {
  const { door, presence } = here.facts
  const earliest = new Earliest(here)
  const { passback, passback_minutes } = door.space
  if (passback === 'timed' && presence.since !== null)
    earliest.instant(Date.parse(presence.since) + (passback_minutes ?? 0) * MINUTE_MS)
  return earliest.found
}

/** When the grant that asks for it ends, another may come to count that asks for something else. */
function byAsking({ rights, facts }: Case, earliest: Earliest): void {
  if (rights.allow && facts.grants.some((grant) => grant !== rights.allow && grant.effect === 'allow'))
    earliest.end(rights.allow, true)
}

const byPin: Mending = (here) => {
  const earliest = new Earliest(here)
  for (const credential of here.facts.credentials) earliest.window(credential)
  earliest.text(byGrants(({ requires_pin }) => !requires_pin)(here) ?? null)
  byAsking(here, earliest)
  return earliest.found
}

const byCompany: Mending = (here) => {
  const earliest = new Earliest(here)
  for (const one of here.facts.companions) earliest.text(one.turnsAfter(here.at) ?? null)
  earliest.text(byGrants(({ requires_second_person }) => !requires_second_person)(here) ?? null)
  byAsking(here, earliest)
  return earliest.found
}

const byBlock: Mending = (here) => {
  const earliest = new Earliest(here)
  earliest.text(here.facts.door.override_until)
  return earliest.found
}

/** What is not named here no clock mends. */
const mending: Partial<Record<Reason, Mending>> = {
  no_credential: byCredential,
  credential_not_yet_active: byCredential,
  credential_expired: byCredential,
  credential_suspended: byCredential,
  credential_lost: byCredential,
  credential_stolen: byCredential,
  credential_terminated: byCredential,
  max_uses: byCredential,
  wrong_system: byCredential,
  individual_not_yet_valid: byPerson,
  individual_expired: byPerson,
  locked_down: byLockdown,
  point_blocked: byBlock,
  denied_by_rule: byDenies,
  no_access_rights: byGrants(() => true),
  out_of_time_range: byGrants(() => true),
  passback: byPassback,
  pin_required: byPin,
  second_person_required: byCompany,
  no_escort: byCompany,
}

const MINUTE_MS = 60_000

/** When something that begins or ends but once does so next: no hours of a day. */
export const nextWindow = (here: Case): string | undefined => windowsOf(here).found

function windowsOf(here: Case): Earliest {
  const { facts } = here
  const earliest = new Earliest(here)
  if (facts.individual) earliest.window(facts.individual)
  for (const credential of facts.credentials) earliest.window(credential)
  for (const grant of facts.grants) {
    earliest.window(grant)
    if (grant.group) earliest.window(grant.group)
  }
  earliest.text(facts.door.override_until)
  earliest.emergencies()
  return earliest
}

/**
 * Until when an answer stays the same to the letter, if nothing but the clock moves: sentences tell the minute, and
 * schedules turn at full ones.
 */
export function sameUntil({ case: here }: Judgement): string {
  const earliest = windowsOf(here)
  earliest.instant((Math.floor(here.instant / MINUTE_MS) + 1) * MINUTE_MS)
  earliest.text(byPassback(here) ?? null)
  for (const one of here.facts.companions) earliest.text(one.turnsAfter(here.at) ?? null)
  return earliest.found ?? here.at
}

/** The earliest of some moments that are yet to come. */
class Earliest {
  found: string | undefined
  private readonly here: Case

  constructor(here: Case) {
    this.here = here
  }

  text(moment: string | null): void {
    if (moment !== null && moment > this.here.at && (this.found === undefined || moment < this.found))
      this.found = moment
  }

  instant(moment: number | null): void {
    if (moment !== null && moment <= LAST_INSTANT) this.text(new Date(moment).toISOString())
  }

  window({ valid_from, valid_until }: Window): void {
    this.text(valid_from)
    this.text(valid_until)
  }

  schedule(schedule: ScheduleFacts): void {
    const { open, until, next } = scheduleState(schedule, schedule.time_zone ?? this.here.zone, this.here.instant)
    this.instant(open ? until : next)
  }

  emergencies(): void {
    for (const { since, until } of this.here.facts.emergencies) {
      this.text(since)
      this.text(until)
    }
  }

  /** When a grant comes into force, or into its hours. */
  beginning(grant: GrantFact): void {
    if (grant.revoked_at !== null) return
    this.text(grant.valid_from)
    if (grant.group) this.text(grant.group.valid_from)
    if (grant.schedule && isInForce(grant, this.here.at) && !this.here.stateOf(grant)?.open)
      this.schedule(grant.schedule)
  }

  /** When one that is in force ends, by its hours too where they are asked for. */
  end(grant: GrantFact, byHours: boolean): void {
    this.text(grant.valid_until)
    if (grant.group) this.text(grant.group.valid_until)
    if (byHours && grant.schedule) this.schedule(grant.schedule)
  }
}

import { type ScheduleState, scheduleState } from '../time/schedule.ts'
import type { Window } from '../time/window.ts'
import { credentialFor } from './credential-choice.ts'
import type { CredentialFact, Door, Emergency, Facts, GrantFact, Question } from './facts.ts'

/** What the grants come to at one instant. */
interface Rights {
  /** Takes access away now. */
  readonly deny: GrantFact | undefined
  /** Gives it now; of several the least demanding, then the most specific, then the lower id. */
  readonly allow: GrantFact | undefined
  /** Would give it at another hour; of several the one that does so first. */
  readonly waiting: GrantFact | undefined
}

type Mode = 'evacuation' | 'locked_down' | 'blocked' | 'unlocked' | 'locked'

/** A question at one instant, with what follows from its facts worked out once: what the rules look at. */
export class Case {
  readonly facts: Facts
  readonly question: Question
  /** The credential that it is about; of several that somebody carries, the best. */
  readonly credential: CredentialFact | undefined
  readonly at: string
  readonly instant: number
  readonly evacuation: Emergency | undefined
  readonly lockdown: Emergency | undefined
  /** What an operator or command has set, while it lasts. */
  readonly override: Door['override']
  readonly mode: Mode
  readonly rights: Rights

  constructor(facts: Facts, question: Question, at: string) {
    this.facts = facts
    this.question = question
    this.at = at
    this.instant = Date.parse(at)
    this.evacuation = facts.emergencies.find((one) => one.kind === 'evacuation' && isDuring(one, at))
    this.lockdown = facts.emergencies.find((one) => one.kind === 'lockdown' && isDuring(one, at))
    const { override, override_until } = facts.door
    this.override = override_until === null || override_until > at ? override : null
    this.mode = this.modeNow()
    this.rights = this.rightsNow()
    const asking = this.rights.allow ?? this.rights.waiting
    this.credential = credentialFor(facts, question, at, asking?.requires_pin === true)
  }

  get zone(): string {
    return this.facts.door.time_zone
  }

  stateOf(grant: GrantFact): ScheduleState | undefined {
    return grant.schedule
      ? scheduleState(grant.schedule, grant.schedule.time_zone ?? this.zone, this.instant)
      : undefined
  }

  /**
   * Evacuation, lockdown, block, what an operator set, schedule, default: in this order. What no system drives nobody
   * opens from afar.
   */
  private modeNow(): Mode {
    if (this.evacuation && this.isDriven) return 'evacuation'
    if (this.lockdown) return 'locked_down'
    if (this.override === 'blocked') return 'blocked'
    if (this.override !== null) return 'unlocked'
    return this.isUnlockedBySchedule() ? 'unlocked' : 'locked'
  }

  private get isDriven(): boolean {
    return this.facts.door.access_control_system_id !== null
  }

  private isUnlockedBySchedule(): boolean {
    const { unlock_schedule, first_person_in, last_entry_at } = this.facts.door
    if (!unlock_schedule || !this.isDriven) return false
    const state = scheduleState(unlock_schedule, unlock_schedule.time_zone ?? this.zone, this.instant)
    if (!state.open || !first_person_in) return state.open
    return (
      last_entry_at !== null &&
      (state.from === null || Date.parse(last_entry_at) >= state.from) &&
      last_entry_at <= this.at
    )
  }

  private rightsNow(): Rights {
    let deny: GrantFact | undefined
    let allow: GrantFact | undefined
    let waiting: GrantFact | undefined
    let soonest = Number.POSITIVE_INFINITY
    for (const grant of this.facts.grants) {
      if (!isInForce(grant, this.at)) continue
      const state = this.stateOf(grant)
      if (state?.open ?? true) {
        if (grant.effect === 'deny') deny = this.better(deny, grant)
        else if (this.lockdown) allow = this.betterInLockdown(allow, grant)
        else allow = this.better(allow, grant)
      } else if (grant.effect === 'allow') {
        const next = opensAgain(grant, state?.next ?? null) ?? Number.POSITIVE_INFINITY
        if (waiting === undefined || next < soonest) waiting = grant
        else if (next === soonest) waiting = this.better(waiting, grant)
        soonest = Math.min(soonest, next)
      }
    }
    return { deny, allow, waiting }
  }

  private better(held: GrantFact | undefined, grant: GrantFact): GrantFact {
    if (!held) return grant
    const by = demandOf(grant) - demandOf(held) || this.widthOf(grant) - this.widthOf(held)
    return by < 0 || (by === 0 && grant.id < held.id) ? grant : held
  }

  /** While it lasts, a grant that holds during a lockdown is worth more than any that does not. */
  private betterInLockdown(held: GrantFact | undefined, grant: GrantFact): GrantFact {
    if (held && held.during_lockdown !== grant.during_lockdown) return held.during_lockdown ? held : grant
    return this.better(held, grant)
  }

  /** How far up from the door its target lies: a wing is narrower than its building, a building than its location. */
  private widthOf({ target }: GrantFact): number {
    const { places } = this.facts.door
    return target.kind === 'access_point' ? 0 : places.length - places.findIndex(({ id }) => id === target.id)
  }
}

/** A window holds from its start, which belongs to it, to its end, which does not. */
export const isWithin = ({ valid_from, valid_until }: Window, at: string): boolean =>
  (valid_from === null || valid_from <= at) && (valid_until === null || valid_until > at)

/** What was revoked is over under these settings, whatever the clock says: `as_of` asks for those of another day. */
export const isInForce = (grant: GrantFact, at: string): boolean =>
  grant.revoked_at === null && isWithin(grant, at) && (grant.group === null || isWithin(grant.group, at))

const isDuring = ({ since, until }: Emergency, at: string): boolean => since <= at && (until === null || until > at)

const demandOf = (grant: GrantFact): number => (grant.requires_second_person ? 2 : 0) + (grant.requires_pin ? 1 : 0)

/** When a closed one gives access again, if it is still in force then. */
export function opensAgain(grant: GrantFact, next: number | null): number | null {
  return next !== null && isInForce(grant, new Date(next).toISOString()) ? next : null
}

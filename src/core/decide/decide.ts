import { Case } from './case.ts'
import type { CredentialFact, Facts, GrantFact, KeyFact, Question } from './facts.ts'
import type { Judgement } from './judgement.ts'
import { nextMoment, nextWindow } from './moments.ts'
import type { Finding, Rule } from './rule.ts'
import { allowed } from './rules/allowed.ts'
import { blocked } from './rules/blocked.ts'
import { credentialKnown } from './rules/credential-known.ts'
import { credentialUsable } from './rules/credential-usable.ts'
import { denied } from './rules/denied.ts'
import { doorUnlocked } from './rules/door-unlocked.ts'
import { evacuation } from './rules/evacuation.ts'
import { individualValid } from './rules/individual-valid.ts'
import { keyHeld } from './rules/key-held.ts'
import { lockdown } from './rules/lockdown.ts'
import { occupancy } from './rules/occupancy.ts'
import { passback } from './rules/passback.ts'
import { pin } from './rules/pin.ts'
import { reader } from './rules/reader.ts'
import { rightSystem } from './rules/right-system.ts'
import { secondPerson } from './rules/second-person.ts'
import { wayOut } from './rules/way-out.ts'

/** In the order in which they are told. Adding a rule is a file in rules/ and its line here. */
const rules: readonly Rule[] = [
  evacuation,
  doorUnlocked,
  reader,
  credentialKnown,
  credentialUsable,
  rightSystem,
  individualValid,
  lockdown,
  blocked,
  denied,
  allowed,
  passback,
  occupancy,
  pin,
  secondPerson,
]

/** Asked when something stands in the way: what opens nevertheless. */
const remedies: readonly Rule[] = [wayOut, keyHeld]

export interface Decision extends Judgement {
  readonly grant: GrantFact | undefined
  readonly credential: CredentialFact | undefined
  /** Until when the answer stays the same if nothing but the clock moves; null: without end. */
  readonly holdsUntil: string | null
  /** When the same question would be granted; null: now, or never by the clock alone. */
  readonly nextAllowedAt: string | null
}

/**
 * Whether the door opens, and why: the one place where that is decided. Pure: the same facts and question give the same
 * answer.
 */
export function decide(facts: Facts, question: Question): Decision {
  const now = judge(facts, question, question.at)
  const turn = findTurn(facts, question, now)
  const { credential, rights } = now.case
  const given = now.opener ? undefined : rights.allow
  return {
    ...now,
    credential,
    grant: now.isGranted ? given : (rights.deny ?? rights.allow ?? rights.waiting),
    holdsUntil: turn,
    nextAllowedAt: now.isGranted ? null : turn,
  }
}

/** What one instant comes to. */
export function judge(facts: Facts, question: Question, at: string): Judgement {
  const here = new Case(facts, question, at)
  const obstacles: Finding[] = []
  for (const rule of rules) {
    const finding = rule(here)
    if (finding?.opens) return opened(here, finding)
    if (finding) obstacles.push(finding)
  }
  const [first] = obstacles
  if (!first) return { case: here, isGranted: true, reason: 'granted', obstacles, opener: undefined, key: undefined }
  for (const remedy of remedies) {
    const finding = remedy(here)
    if (finding) return opened(here, finding, remedy === keyHeld ? facts.keys[0] : undefined)
  }
  return { case: here, isGranted: false, reason: first.reason, obstacles, opener: undefined, key: undefined }
}

const opened = (here: Case, opener: Finding, key?: KeyFact): Judgement => ({
  case: here,
  isGranted: true,
  reason: opener.reason,
  obstacles: [],
  opener,
  key,
})

/** Enough for half a year in which two grants take turns every day; what cannot turn the answer is not looked at. */
const MAX_MOMENTS = 400
/**
 * And for two weeks more after each window that begins or ends later: what takes turns does so as it did before. Of
 * windows there may be thousands: so many are looked behind.
 */
const MORE_MOMENTS = 30
const MAX_WINDOWS = 20

/** The moment at which the clock alone turns the answer round. */
function findTurn(facts: Facts, question: Question, now: Judgement): string | null {
  if (now.key) return null
  let judged = now
  let left = MAX_MOMENTS
  let windows = MAX_WINDOWS
  for (let next = nextMoment(judged); next !== undefined; next = nextMoment(judged)) {
    if (left === 0) {
      const later = nextWindow(judged.case)
      if (later === undefined || windows === 0) return null
      windows -= 1
      next = later
      left = MORE_MOMENTS
    }
    left -= 1
    judged = judge(facts, question, next)
    if (judged.isGranted !== now.isGranted) return next
  }
  return null
}

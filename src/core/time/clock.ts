import { whichTurn } from '../loop-turn.ts'

/** Now, as RFC 3339 in UTC with milliseconds. Injected, so that tests can move it. */
export interface Clock {
  now(): string
  /**
   * Milliseconds that have passed, since whenever; nobody can set it, so it tells a clock that was set from time that
   * passed.
   */
  elapsed(): number
}

let text = ''
let readIn = -1

/** The machine's clock, read once per turn of the event loop: all that happens in one turn happens at one moment. */
export const systemClock: Clock = {
  now() {
    const turn = whichTurn()
    if (turn !== readIn) {
      text = new Date().toISOString()
      readIn = turn
    }
    return text
  },
  elapsed: () => performance.now(),
}

interface Belief {
  /** The clock less what has elapsed: where the clock stood when counting began. */
  offset: number
  /** Another one that the clock has shown since, without a break. */
  rival: { offset: number; since: number } | undefined
  /** The last judgement: asked again within a second while the clock shows the same, it stands. */
  seen: string
  at: number
  counted: number
}

const SECOND = 1000

/** What a clock is corrected by as a matter of course, and what it takes to read both. */
const SLACK_MS = 2000
/** What a clock has shown for so long, or for as long as it differs by, is taken for the truth. */
const BELIEVED_AFTER_MS = 3_600_000

const beliefs = new WeakMap<Clock, Belief>()

/**
 * The time by which it is judged what is over. What is over stays so though the clock is set back, since time that has
 * passed is counted apart from the clock. But a clock that jumps ahead leaves nothing behind: once it is right again,
 * so is what is judged.
 */
export const neverBack = (clock: Clock): Clock => judging(clock, (counted, now) => counted > now)

/**
 * The time by which is done what nobody can undo: removing what is old, offboarding, giving up. It goes with the clock,
 * but not ahead with one that jumps ahead: what has had its time then is still there when the clock is right again.
 */
export const neverAhead = (clock: Clock): Clock => judging(clock, (counted, now) => counted < now)

/** A clock that shows the time that was counted, where that is to be believed more than what is shown. */
function judging(clock: Clock, isBetter: (counted: number, now: number) => boolean): Clock {
  let [seen, of, judged] = ['', 0, '']
  return {
    now() {
      const now = clock.now()
      const counted = countedOn(clock, now)
      if (now === seen && counted === of) return judged
      ;[seen, of] = [now, counted]
      judged = isBetter(counted, Date.parse(now)) ? new Date(counted).toISOString() : now
      return judged
    },
    elapsed: () => clock.elapsed(),
  }
}

function countedOn(clock: Clock, now: string): number {
  const elapsed = clock.elapsed()
  const belief = beliefs.get(clock) ?? firstBelief(clock, Date.parse(now) - elapsed)
  if (now === belief.seen && elapsed - belief.at < SECOND) return belief.counted
  believe(belief, Date.parse(now) - elapsed, elapsed)
  belief.seen = now
  belief.at = elapsed
  belief.counted = belief.offset + elapsed
  return belief.counted
}

function firstBelief(clock: Clock, offset: number): Belief {
  const belief: Belief = { offset, rival: undefined, seen: '', at: 0, counted: 0 }
  beliefs.set(clock, belief)
  return belief
}

function believe(belief: Belief, offset: number, elapsed: number): void {
  const { rival } = belief
  if (Math.abs(offset - belief.offset) <= SLACK_MS) {
    belief.offset = Math.max(belief.offset, offset)
    belief.rival = undefined
  } else if (!rival || Math.abs(offset - rival.offset) > SLACK_MS) belief.rival = { offset, since: elapsed }
  else if (elapsed - rival.since >= Math.min(BELIEVED_AFTER_MS, Math.abs(offset - belief.offset))) {
    belief.offset = offset
    belief.rival = undefined
  }
}

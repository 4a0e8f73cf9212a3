import { boundedMap } from '../../core/bounded-map.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import { type Failures, failuresAt, waitAfter } from './delays.ts'

/** What the database said last, and what is on its way there. */
interface Known extends Failures {
  pending: number
  pendingAt: string
}

const MAX_KEYS = 50_000
/** That a network is not known of an account is believed this long. */
const STRANGE_MS = 60_000

/**
 * What this process knows of failed logins. It refuses before anybody is asked; who may try is decided by the database, which all
 * processes share.
 */
export class AttemptMemory {
  private readonly known = boundedMap<Known>(MAX_KEYS)
  private readonly strange = boundedMap<number>(MAX_KEYS)

  /** How many milliseconds an attempt has to wait, those that are under way counted as failures. */
  waitOf(key: string, now: string): number {
    const known = this.known.get(key)
    if (!known) return 0
    const wait = waitAfter(known, now)
    if (known.pending === 0) return wait
    return Math.max(wait, waitAfter({ failures: failuresAt(known, now) + known.pending, last_at: known.pendingAt }, now))
  }

  begin(keys: readonly string[], now: string): void {
    for (const key of keys) {
      const known = this.known.get(key) ?? { failures: 0, last_at: now, pending: 0, pendingAt: now }
      this.known.set(key, { ...known, pending: known.pending + 1, pendingAt: now })
    }
  }

  /** It has reached the database, or never will. */
  end(keys: readonly string[]): void {
    for (const key of keys) {
      const known = this.known.get(key)
      if (known) known.pending -= 1
    }
  }

  learn(key: string, { failures, last_at }: Failures): void {
    const { pending, pendingAt } = this.known.get(key) ?? { pending: 0, pendingAt: last_at }
    if (failures === 0 && pending === 0) this.known.delete(key)
    else this.known.set(key, { failures, last_at, pending, pendingAt })
  }

  isStrange(network: string, now: string): boolean {
    const until = this.strange.get(network)
    return until !== undefined && until > Date.parse(now)
  }

  noteStrange(network: string, now: string): void {
    this.strange.set(network, Date.parse(now) + STRANGE_MS)
  }

  noteKnown(network: string): void {
    this.strange.delete(network)
  }
}

export const attemptMemory = perEngine(() => new AttemptMemory())

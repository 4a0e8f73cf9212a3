import { boundedMap } from '../../core/bounded-map.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import { type Failures, failuresAt, waitAfter } from './delays.ts'

/** What the database said last, and what is on its way there. */
interface Known extends Failures {
  pending: number
  pendingAt: string
}

const MAX_KEYS = 50_000
/** Who is known in a network is believed this long. */
const BELIEVED_MS = 60_000

/**
 * What this process knows of failed logins. It refuses before anybody is asked; who may try is decided by the database,
 * which all processes share.
 */
export class AttemptMemory {
  private readonly known = boundedMap<Known>(MAX_KEYS)
  private readonly networks = boundedMap<{ known: Set<string>; until: number }>(MAX_KEYS)

  /** How many milliseconds an attempt has to wait, those that are under way counted as failures. */
  waitOf(key: string, now: string): number {
    const known = this.known.get(key)
    if (!known) return 0
    const wait = waitAfter(known, now)
    if (known.pending === 0) return wait
    return Math.max(
      wait,
      waitAfter({ failures: failuresAt(known, now) + known.pending, last_at: known.pendingAt }, now),
    )
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

  /** Whether this account is known in this network, as far as that was looked up. */
  standingOf(network: string, pair: string, now: string): 'known' | 'strange' | 'unsure' {
    const found = this.networks.get(network)
    if (!found || found.until <= Date.parse(now)) return 'unsure'
    return found.known.has(pair) ? 'known' : 'strange'
  }

  noteWhoIsKnown(network: string, known: Set<string>, now: string): void {
    this.networks.set(network, { known, until: Date.parse(now) + BELIEVED_MS })
  }

  noteKnown(network: string, pair: string): void {
    this.networks.get(network)?.known.add(pair)
  }
}

export const attemptMemory = perEngine(() => new AttemptMemory())

import type { Observed, Plan } from './connector.ts'
import type { Entry, EntryKind } from './entry.ts'

/** More than this share of a table is not removed without asking. */
const SHARE = 0.1

/** A card is of no use before what it opens is there. */
const ORDER: Record<EntryKind, number> = { schedule: 0, door: 1, grant: 2, card: 3 }

/**
 * What has to be done for the device to hold what is desired. What is taken away goes first. `size`: how much it holds
 * in all, where only some of it is looked at.
 */
export function planOf(
  desired: ReadonlyMap<string, Entry>,
  observed: ReadonlyMap<string, string>,
  size = observed.size,
): Plan {
  const remove = [...observed.keys()].filter((key) => !desired.has(key))
  const put = [...desired.values()]
    .filter(({ key, fingerprint }) => observed.get(key) !== fingerprint)
    .sort((a, b) => ORDER[a.kind] - ORDER[b.kind])
  return { remove, put, asksFirst: remove.length > size * SHARE }
}

export interface Believed {
  readonly entries: ReadonlyMap<string, string>
  readonly isTold: boolean
}

/**
 * What the device is taken to hold after it was looked at. An empty or failed look is none: what it was known to hold
 * it may hold still, so what is to be removed stays to be removed; what it should hold is put there again.
 */
export function believed(known: ReadonlyMap<string, string>, observed: Observed): Believed {
  if (observed === 'unknown') return { entries: known, isTold: false }
  if (observed.size > 0 || known.size === 0) return { entries: observed, isTold: true }
  return { entries: new Map([...known].map(([key]) => [key, UNKNOWN])), isTold: false }
}

/** Fits no entry. */
export const UNKNOWN = '?'

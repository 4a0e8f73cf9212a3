import type { Extent } from '../db/engine.ts'
import type { OrgHandle } from '../db/org.ts'

/** So many ids are looked up in one statement where it is read on the event loop: others have their turn between two. */
const FEW = 500
/** And so many in a thread. */
const MANY = 5000

/** Ids to be looked up statement by statement, and how much each reads. A transaction reads on the event loop. */
export function* slicesOf(
  handle: OrgHandle,
  ids: readonly string[],
  few = FEW,
): Generator<[some: readonly string[], extent: Extent | undefined]> {
  const isFew = handle.isTransaction || ids.length <= few
  const size = isFew ? few : MANY
  for (let from = 0; from < ids.length; from += size) yield [ids.slice(from, from + size), isFew ? undefined : 'all']
}

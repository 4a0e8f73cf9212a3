import type { Facts } from '../../core/decide/facts.ts'
import type { Rights } from '../../core/rights.ts'
import type { OrgHandle } from '../../db/org.ts'
import { seenOf } from '../../db/scope.ts'
import { credentials } from '../credentials/schema.ts'
import { keys } from '../keys/schema.ts'

const unlessSeen = <One extends { id: string }>(list: readonly One[], seen: ReadonlySet<string>): readonly One[] =>
  list.map((one) => (seen.has(one.id) ? one : { ...one, is_unseen: true }))

/** What somebody carries, with what the caller may not read marked as such: no sentence says more than a list would. */
export async function asSeenBy(handle: OrgHandle, rights: Rights, facts: Facts): Promise<Facts> {
  const ids = (list: ReadonlyArray<{ id: string }>) => list.map(({ id }) => id)
  const [cards, held] = [
    await seenOf(handle, credentials, rights, ids(facts.credentials)),
    await seenOf(handle, keys, rights, ids(facts.keys)),
  ]
  return { ...facts, credentials: unlessSeen(facts.credentials, cards), keys: unlessSeen(facts.keys, held) }
}

import type { Tx } from '../../db/change.ts'
import { OrgHandle } from '../../db/org.ts'

/** Something as it was before a transaction, and as it is in it: read once where the transaction has written nothing of that. */
export async function onBothSides<T>(tx: Tx, read: (handle: OrgHandle) => Promise<T>): Promise<[was: T, is: T]> {
  const before = new OrgHandle(tx.engine, tx.org, tx.now)
  const was = await read(before)
  return [was, tx.hasWritten(before.reads) ? await read(tx) : was]
}

/** Something that the transaction is known to leave as it was. */
export async function onOneSide<T>(tx: Tx, read: (handle: OrgHandle) => Promise<T>): Promise<[was: T, is: T]> {
  const was = await read(new OrgHandle(tx.engine, tx.org, tx.now))
  return [was, was]
}

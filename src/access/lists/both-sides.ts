import type { Tx } from '../../db/change.ts'
import { OrgHandle } from '../../db/org.ts'

/** A transaction, looked at by the clock of a moment. */
export interface Looked {
  readonly tx: Tx
  readonly at: string
}

/**
 * What it was before the transaction, which everybody else who writes waits for: it is looked at no longer than the
 * transaction lasts.
 */
export const before = ({ tx, at }: Looked): OrgHandle =>
  new OrgHandle(tx.engine, tx.org, at, tx.engine.reader, tx.signal)

/**
 * Something as it was before a transaction, and as it is in it: read once where the transaction has written nothing of
 * that.
 */
export async function onBothSides<T>(
  looked: Looked,
  read: (handle: OrgHandle) => T | Promise<T>,
): Promise<[was: T, is: T]> {
  const handle = before(looked)
  const was = await read(handle)
  return [was, looked.tx.hasWritten(handle.reads) ? await read(looked.tx.at(looked.at)) : was]
}

/** Something that the transaction is known to leave as it was. */
export async function onOneSide<T>(looked: Looked, read: (handle: OrgHandle) => Promise<T>): Promise<[was: T, is: T]> {
  const was = await read(before(looked))
  return [was, was]
}

import { randomBytes } from 'node:crypto'
import type { Session } from './engine.ts'

/** About as much as a change of some size writes. */
const BYTES = 48 * 1024

/** A write that means nothing: whether it is kept tells whether others would be. */
export async function tryWriting(session: Session): Promise<void> {
  await session.run('update storage_probes set filler = $1 where id = 1', [randomBytes(BYTES).toString('base64')])
}

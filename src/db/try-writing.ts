import { randomBytes } from 'node:crypto'
import type { Session } from './engine.ts'

/** More than any one change takes: where this is kept, the next one is. A smaller one fits where a change does not. */
const BYTES = 192 * 1024

/** A write that means nothing: whether it is kept tells whether others would be. */
export async function tryWriting(session: Session): Promise<void> {
  await session.run('update storage_probes set filler = $1 where id = 1', [randomBytes(BYTES).toString('base64')])
}

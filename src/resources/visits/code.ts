import { CODE_LENGTH, codeKeyOf } from '../../core/cards/match-key.ts'
import type { Engine } from '../../db/engine.ts'
import { digestsOf } from '../../db/sealing.ts'
import type { Credential } from '../credentials/schema.ts'

/**
 * The code of a visit's credential. It is stored nowhere: the key that seals makes it from the credential's id, and the
 * credential keeps its digest. The first is that of a new one; the others are by keys that were first before.
 */
async function codesOf(engine: Engine, org: number, id: string): Promise<[string, ...string[]]> {
  const [first, ...others] = await digestsOf(engine, org, id, 'code of a visit')
  return [codeIn(first), ...others.map(codeIn)]
}

const codeIn = (digest: string): string => digest.slice(digest.indexOf('.') + 1).slice(0, CODE_LENGTH)

/** What a new credential keeps of its code. */
export const newCodeKey = async (engine: Engine, org: number, id: string): Promise<string | null> =>
  codeKeyOf((await codesOf(engine, org, id))[0])

/** Undefined: the key that made it is lost. */
export async function codeOf(
  engine: Engine,
  org: number,
  { id, number, match_key }: Pick<Credential, 'id' | 'number' | 'match_key'>,
): Promise<string | undefined> {
  // Of a visit that was made before codes were hidden, or given another number since.
  if (number !== null) return number
  return (await codesOf(engine, org, id)).find((code) => codeKeyOf(code) === match_key)
}

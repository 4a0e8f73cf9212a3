import type { Engine } from '../db/engine.ts'
import { digestsOf } from '../db/sealing.ts'

/**
 * What a PIN is found by. The first is what is stored of a new one; the others are by keys that SECRET_KEY had first
 * before, so that a PIN outlives a change of the key.
 */
export const pinKeysOf = (engine: Engine, org: number, pin: string): Promise<[string, ...string[]]> =>
  digestsOf(engine, org, pin, 'pin')

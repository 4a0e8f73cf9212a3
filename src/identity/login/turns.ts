import { tooManyLogins } from '../../core/errors.ts'
import { Turns } from '../../core/turns.ts'
import type { Engine } from '../../db/engine.ts'
import { perEngine } from '../../db/kept/per-engine.ts'

/** So many connections of the database logins take at most; everything else has the rest. */
const AT_ONCE = 3
const MAY_WAIT = 20

const strangers = perEngine(() => new Turns(AT_ONCE, MAY_WAIT, tooManyLogins))
const known = perEngine(() => new Turns(1, MAY_WAIT, tooManyLogins))

/**
 * Whose turn it is to log in. A device that is known does not wait behind those that are not, however many they are.
 */
export const turnsFor = (engine: Engine, isKnownDevice = false): Turns => (isKnownDevice ? known : strangers)(engine)

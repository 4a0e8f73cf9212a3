import { createRequire } from 'node:module'

// Stands in the place of the package where tests run in one process: a password takes a core for a tenth of a second on
// purpose, and tests hash hundreds of them. What it really costs is held by src/identity/passwords.test.ts.

const real: typeof import('@node-rs/argon2') = createRequire(import.meta.url)('@node-rs/argon2')

const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export const hash = (password: string): Promise<string> => real.hash(password, CHEAP)
export const verify = (stored: string, password: string): Promise<boolean> =>
  real.verify(stored.replace(/m=\d+,t=\d+/, `m=${CHEAP.memoryCost},t=${CHEAP.timeCost}`), password)

import { hash, verify } from '@node-rs/argon2'
import { Type } from '../core/schema.ts'

/** argon2id, which is the package's default algorithm. */
const COST = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 }
const AT_ONCE = 2

/** Of a password that nobody knows, at the same cost: who does not exist takes as long as who does. */
const NOBODY = '$argon2id$v=19$m=65536,t=3,p=1$CDr34+X8dTouB44Kbw7wwQ$ouIsP3bhyPQOBac04BQ5pZOkFMWplZXc/DdvB9zcn+s'

/** A new password. */
export const NewPassword = Type.String({
  minLength: 12,
  maxLength: 200,
  writeOnly: true,
  description: 'At least 12 characters; any will do.',
  examples: ['correct horse battery staple'],
})

/** One that is to be checked: whatever it is, it is either right or wrong. */
export const GivenPassword = Type.String({
  maxLength: 200,
  writeOnly: true,
  description: 'The password.',
  examples: ['correct horse battery staple'],
})

let busy = 0
const waiting: Array<() => void> = []

/** Each takes 64 MiB and a core for a while: at most two at a time. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (busy >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else busy += 1
  try {
    return await work()
  } finally {
    // The place goes to the next in line, or is free.
    const next = waiting.shift()
    if (next) next()
    else busy -= 1
  }
}

/** The same text typed on another keyboard is the same password. */
const plain = (password: string): string => password.normalize('NFKC')

/** `check` runs when it is our turn, and throws if there is no need any more. */
export const hashPassword = (password: string, check: () => Promise<void> = async () => undefined): Promise<string> =>
  inTurn(async () => {
    await check()
    return hash(plain(password), COST)
  })

/** Without a hash it takes as long, and is wrong. */
export const isPassword = (password: string, stored: string | null): Promise<boolean> =>
  inTurn(async () => (await verify(stored ?? NOBODY, plain(password))) && stored !== null)

import { tooManyLogins } from '../core/errors.ts'
import { Type } from '../core/schema.ts'
import { Turns } from '../core/turns.ts'

/** Loaded with the first password, not at the start: it is a library of its own. */
const argon2 = () => import('@node-rs/argon2')

/** argon2id, which is the package's default algorithm. */
const COST = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 }
/** Each takes 64 MiB and a core for a while. */
const turns = new Turns(2, 20, tooManyLogins)

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

/** The same text typed on another keyboard is the same password. */
const plain = (password: string): string => password.normalize('NFKC')

interface HashOptions {
  /** Who left while it waited does not get it: it is not made. */
  signal?: AbortSignal | undefined
  /** Runs when it is our turn, and throws if there is no need any more. */
  check?: () => Promise<void>
}

export const hashPassword = (password: string, { signal, check }: HashOptions = {}): Promise<string> =>
  turns.run(async () => {
    await check?.()
    return (await argon2()).hash(plain(password), COST)
  }, signal)

/** Whether it is the password that each hash is of. Without a hash it takes as long, and is wrong. */
export const arePasswords = (
  password: string,
  stored: ReadonlyArray<string | null>,
  signal?: AbortSignal,
): Promise<boolean[]> =>
  turns.runAll(
    stored.map((one) => async () => (await (await argon2()).verify(one ?? NOBODY, plain(password))) && one !== null),
    signal,
  )

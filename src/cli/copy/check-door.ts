import { pino } from 'pino'
import { allResources } from '../../all-resources.ts'
import { buildApp } from '../../app.ts'
import { emailKey } from '../../core/people/email.ts'
import type { Engine } from '../../db/engine.ts'
import { arePasswords } from '../../identity/passwords.ts'
import { CommandError, type Context } from '../command.ts'

/** Whoever calls the copy with the token is the same, and may do the same, as with the original. */
export async function checkDoor(
  { config, clock }: Context,
  source: Engine,
  target: Engine,
  token: string,
): Promise<void> {
  const ask = async (engine: Engine): Promise<string> => {
    const app = await buildApp({ config, engine, clock, logger: pino({ level: 'silent' }), resources: allResources })
    try {
      const { statusCode, body } = await app.inject({ url: '/api/v1/me', headers: { authorization: `Token ${token}` } })
      return statusCode === 200 ? JSON.stringify(JSON.parse(body).data) : `${statusCode}`
    } finally {
      await app.close()
    }
  }
  const [original, copy] = [await ask(source), await ask(target)]
  if (!original.startsWith('{'))
    throw new CommandError('The token is not taken by the original either: nothing is proved by it.')
  if (original !== copy) throw new CommandError('The copy does not answer the token like the original: do not use it.')
}

/**
 * Whoever logs in at the original with the password does so at the copy. Only the hashes are asked: a login would write
 * into what has just been found equal.
 */
export async function checkPassword(source: Engine, target: Engine, email: string, password: string): Promise<void> {
  const isTaken = async (engine: Engine): Promise<boolean> => {
    const found = await engine.reader.all<{ password_hash: string | null }>(
      `select u.password_hash from users u join organizations o on o.key = u.org
       where u.email_key = $1 and u.status = 'active' and o.status = 'active' order by u.org`,
      [emailKey(email)],
    )
    const hashes = found.map(({ password_hash }) => password_hash)
    return (await arePasswords(password, hashes)).includes(true)
  }
  if (!(await isTaken(source)))
    throw new CommandError('The password is not taken by the original either: nothing is proved by it.')
  if (!(await isTaken(target)))
    throw new CommandError('The copy does not take the password that the original takes: do not use it.')
}

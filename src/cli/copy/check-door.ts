import { pino } from 'pino'
import { buildApp } from '../../app.ts'
import type { Engine } from '../../db/engine.ts'
import { CommandError, type Context } from '../command.ts'

/** Whoever calls the copy with the token is the same, and may do the same, as with the original. */
export async function checkDoor({ config, clock }: Context, source: Engine, target: Engine, token: string): Promise<void> {
  const ask = async (engine: Engine): Promise<string> => {
    const app = await buildApp({ config, engine, clock, logger: pino({ level: 'silent' }) })
    try {
      const { statusCode, body } = await app.inject({ url: '/api/v1/me', headers: { authorization: `Token ${token}` } })
      return statusCode === 200 ? JSON.stringify(JSON.parse(body).data) : `${statusCode}`
    } finally {
      await app.close()
    }
  }
  const [original, copy] = [await ask(source), await ask(target)]
  if (!original.startsWith('{')) throw new CommandError('The token is not taken by the original either: nothing is proved by it.')
  if (original !== copy) throw new CommandError('The copy does not answer the token like the original: do not use it.')
}

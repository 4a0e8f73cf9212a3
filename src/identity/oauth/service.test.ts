import { pino } from 'pino'
import { expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { KnownCallers } from '../../http/callers/known-callers.ts'
import { Oauth } from './service.ts'

it('one provider is made for all who ask at once', async () => {
  const { app, engine, clock } = await startHouse()
  const { config, failures } = app.house
  const nothing = () => undefined
  const events = { jwtUsed: nothing, jwtRefused: nothing } as never
  const parts = {
    config,
    engine,
    clock,
    failures,
    events,
    callers: new KnownCallers(engine),
    logger: pino({ level: 'silent' }),
  }
  const oauth = new Oauth({ ...parts, onUsed: nothing })
  const made = new Set(await Promise.all(Array.from({ length: 20 }, () => oauth.provider())))
  expect(made.size).toBe(1)
})

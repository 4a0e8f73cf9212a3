import { pino } from 'pino'
import { expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { databaseAway, tooManyLogins } from '../../core/errors.ts'

it('what is broken is in the log with where it broke; that we are busy is in the line of the request alone', async () => {
  const lines: Array<{ level: number; msg: string; reason?: string; err?: { stack: string } }> = []
  const house = await startHouse({
    logger: pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) }),
    prepare: (app) => {
      const config = { open: 'for a test' }
      app.get('/busy', { config }, () => Promise.reject(tooManyLogins()))
      app.get('/away', { config }, () => Promise.reject(databaseAway(new Error('gone'))))
    },
  })
  const told = async (path: string) => {
    lines.length = 0
    expect((await house.anonymous.get(path)).status).toBe(503)
    return lines.map(({ level, reason, err }) => [level, reason, err !== undefined])
  }
  expect(await told('/busy')).toEqual([[30, 'too_many_logins', false]])
  expect(await told('/away')).toEqual([
    [50, undefined, true],
    [30, 'database_away', false],
  ])
})

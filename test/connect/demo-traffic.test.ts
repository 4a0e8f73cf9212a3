import { pino } from 'pino'
import { expect, it } from 'vitest'
import { passBy } from '../../src/jobs/demo-traffic.ts'
import { makeSite } from './site.ts'

it('people come to the doors of simulated systems through the day, and most of them may come in', async () => {
  const site = await makeSite()
  const { engine, clock } = site.house
  const parts = { engine, clock, logger: pino({ level: 'silent' }) }
  // Before the table has arrived there is nobody to come.
  expect(await passBy(parts, 'Test')).toBe(0)
  await site.round()
  let came = 0
  for (let n = 0; n < 12; n++) {
    clock.forward(10_000)
    came += await passBy(parts, 'Test')
  }
  await site.round()
  expect(came).toBe(12)
  const types = (await site.events()).map(({ type }) => type)
  expect(types.filter((type) => type === 'access.granted').length).toBeGreaterThan(
    types.filter((type) => type === 'access.denied').length,
  )
  expect(await passBy(parts, 'Another')).toBe(0)
})

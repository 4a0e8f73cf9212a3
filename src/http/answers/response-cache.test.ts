import { expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { OrgHandle } from '../../db/org.ts'
import { ResponseCache } from './response-cache.ts'

it('answers to long addresses are kept for no more memory than others', async () => {
  const { engine, clock } = await startHouse()
  const cache = new ResponseCache(engine, 28 * 1024 * 1024)
  const handle = new OrgHandle(engine, 1, clock.now())
  const address = 'x'.repeat(8_000)
  const link = address.repeat(4)
  const COUNT = 2_000
  for (let i = 0; i < COUNT; i++)
    await cache.get(handle, `${i}|${address}`, async () => ({
      body: '{}',
      coding: undefined,
      etag: undefined,
      link,
      until: undefined,
      made: i,
    }))
  const versions = await engine.versions(1)
  const kept = Array.from({ length: COUNT }, (_, i) => cache.known(`${i}|${address}`, versions, clock.now())).filter(
    Boolean,
  ).length
  expect(kept).toBeGreaterThan(500)
  expect(kept * 5 * address.length).toBeLessThan(32 * 1024 * 1024)
})

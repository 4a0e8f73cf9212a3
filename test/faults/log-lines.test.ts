import { describe, expect, it } from 'vitest'
import { Caller } from './caller.ts'
import { watch } from './figures.ts'
import { createSite } from './site.ts'

/** What the log hides is looked for in every line; each of these made that slow. */
const hostile = [
  '?'.repeat(11_900),
  'eyJ'.repeat(3900),
  `?${'&cookie'.repeat(1600)}`,
  '"cookie":['.repeat(1000),
  '?a=acs_pat'.repeat(1100),
]

describe('addresses that are made to be slow to log', () => {
  it('are logged, cut short, and nobody waits for it', async () => {
    const site = await createSite()
    const server = await site.serve({ env: { LOG_LEVEL: 'info' } })
    const caller = new Caller(server.url, site.token)
    const { longestWaitMs } = await watch('addresses that are slow to log', server, async () => {
      for (let round = 0; round < 20; round++)
        for (const text of hostile)
          expect((await caller.get(`/livez?${encodeURI(text).slice(0, 11_900)}`)).status).toBe(200)
    })
    caller.close()
    // 0.2 to 0.8 s each, on a machine with nothing else to do, while the expressions were quadratic.
    expect(longestWaitMs).toBeLessThan(1000)
    const lines = server.output().split('\n').slice(1, -1)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(2048 + 500)
  })
})

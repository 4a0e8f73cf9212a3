import { describe, expect, it } from 'vitest'
import { Caller } from './caller.ts'
import { watch } from './figures.ts'
import { createSite } from './site.ts'

const REQUESTS = 6000
const SIDE_BY_SIDE = 20

describe('one token in thousands of spellings', () => {
  it('is one caller: memory does not grow with what is sent', async () => {
    const site = await createSite()
    const server = await site.serve()
    const caller = new Caller(server.url, site.token, SIDE_BY_SIDE)
    const { memory } = await watch('one token in 6,000 spellings', server, async () => {
      const send = async (from: number) => {
        for (let i = from; i < REQUESTS; i += SIDE_BY_SIDE) {
          const authorization = `Token${' '.repeat(20_000 + i)}${site.token}`
          expect((await caller.get('/api/v1/me', { authorization })).status).toBe(200)
        }
      }
      await Promise.all(Array.from({ length: SIDE_BY_SIDE }, (_, from) => send(from)))
    })
    caller.close()
    // 6,000 headers of 23 KB would be 138 MB.
    expect(memory.after - memory.before).toBeLessThan(90)
  })
})

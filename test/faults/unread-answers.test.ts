import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Server } from '../support/processes.ts'
import { Caller } from './caller.ts'
import { figure, watch } from './figures.ts'
import { createSite } from './site.ts'

const READERS = 300
/** On one connection, one after the other: more than the buffers between two processes hold. */
const TIMES = 8
const CLOSED_MS = 15_000
/** A machine that is busy with everything else may be late. */
const LENIENCE_MS = 5000

/** Asks and never takes the answer. */
function ask(server: Server, path: string, headers: string): void {
  const socket = connect({ port: server.port, host: '127.0.0.1' })
  // Nothing listens for data: what fits into the buffers on the way is taken, and nothing more.
  socket.on('error', () => undefined)
  socket.once('connect', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`.repeat(TIMES)))
  onTestFinished(() => void socket.destroy())
}

/** What the process has open: who does not read does not notice that the other end is gone. */
const openFiles = async ({ pid }: Server): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length

describe('300 readers that do not read', () => {
  it('share the bytes of what they ask for, and are cut off', async () => {
    const site = await createSite()
    const server = await site.serve()
    const caller = new Caller(server.url, site.token)
    expect((await caller.get('/docs')).status).toBe(200)
    const before = await openFiles(server)
    const { memory, result } = await watch('300 who do not read the reference', server, async () => {
      const started = performance.now()
      // Compressed ones are small enough for the buffers on the way: those connections are merely idle afterwards.
      for (let i = 0; i < READERS; i++) ask(server, '/docs', i % 3 === 0 ? 'Accept-Encoding: gzip\r\n' : '')
      await expect.poll(() => openFiles(server), { timeout: 10_000 }).toBeGreaterThan(before + READERS / 2)
      await expect
        .poll(() => openFiles(server), { timeout: CLOSED_MS + LENIENCE_MS, interval: 100 })
        .toBeLessThan(before + READERS / 3 + 20)
      return performance.now() - started
    })
    figure('300 who do not read the reference: cut off after', result / 1000, 's')
    expect(memory.most - memory.before).toBeLessThan(100)
    caller.close()
  })
})

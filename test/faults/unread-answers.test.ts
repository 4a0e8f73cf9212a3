import { readdir, readlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Engine } from '../../src/db/engine.ts'
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
const LATE_MS = 1500
const ENTRIES = 20_000

/** Asks and takes nothing but the beginning of the first answer, which it gives. */
function ask(server: Server, path: string, headers: string, times: number): Promise<string> {
  const socket = connect({ port: server.port, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  socket.once('connect', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`.repeat(times)))
  onTestFinished(() => void socket.destroy())
  return new Promise((resolve) => {
    socket.once('data', (bytes) => {
      // Nothing listens for data: what fits into the buffers on the way is taken, and nothing more.
      socket.pause()
      resolve(String(bytes).slice(0, 12))
    })
  })
}

/** The connections that the process has open: who does not read does not notice that the other end is gone. */
async function openSockets({ pid }: Server): Promise<number> {
  const names = await readdir(`/proc/${pid}/fd`)
  // Some are closed while we look.
  const files = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
  return files.filter((file) => file.startsWith('socket:')).length
}

/** How long it took until fewer than so many were left, in seconds. */
async function cutOff(server: Server, fewerThan: number, since: number): Promise<number> {
  await expect
    .poll(() => openSockets(server), { timeout: CLOSED_MS + LENIENCE_MS, interval: 100 })
    .toBeLessThan(fewerThan)
  return (performance.now() - since) / 1000
}

describe('readers that do not read', () => {
  it('the reference, 300 of them: share its bytes, and are cut off', async () => {
    const site = await createSite()
    const server = await site.serve()
    const caller = new Caller(server.url, site.token)
    expect((await caller.get('/docs')).status).toBe(200)
    const before = await openSockets(server)
    const { memory, result } = await watch('300 who do not read the reference', server, async () => {
      // Compressed ones are small enough for the buffers on the way: those connections are merely idle afterwards.
      const asked = Array.from({ length: READERS }, (_, i) =>
        ask(server, '/docs', i % 3 === 0 ? 'Accept-Encoding: gzip\r\n' : '', TIMES),
      )
      await expect.poll(() => openSockets(server), { timeout: 10_000 }).toBeGreaterThan(before + READERS / 2)
      // To fill the buffers of all takes the kernel seconds: from then on the last of them takes nothing.
      await Promise.all(asked)
      return cutOff(server, before + READERS / 3 + 20, performance.now())
    })
    figure('300 who do not read the reference: cut off after', result, 's')
    expect(memory.most - memory.before).toBeLessThan(100)
    caller.close()
  })

  it.each([
    {
      what: '80 exports that nobody reads',
      readers: 80,
      path: '/api/v1/audit-log/export',
      times: 1,
      statuses: ['200', '503'],
    },
    {
      what: '4 who do not read long lists',
      readers: 4,
      path: '/api/v1/audit-log?limit=100',
      times: 25,
      statuses: ['200'],
    },
  ])('$what: hold nobody up, and are cut off', async ({ what, readers, path, times, statuses }) => {
    const site = await createSite()
    await site.look((engine) => addEntries(engine, ENTRIES))
    const server = await site.serve()
    const before = await openSockets(server)
    const { memory, longestWaitMs, result } = await watch(what, server, async () => {
      const started = performance.now()
      const authorization = `Authorization: Token ${site.token}\r\n`
      const asked = Array.from({ length: readers }, () => ask(server, path, authorization, times))
      const answers = (await Promise.all(asked)).map((line) => line.slice(-3))
      expect([...new Set(answers)].sort()).toEqual(statuses)
      // Those who were refused have been given all that there is, and are idle.
      return cutOff(server, before + answers.filter((status) => status !== '200').length + 3, started)
    })
    figure(`${what}: cut off after`, result, 's')
    expect(memory.most - memory.before).toBeLessThan(150)
    expect(longestWaitMs).toBeLessThan(LATE_MS)
  })
})

async function addEntries(engine: Engine, count: number): Promise<void> {
  await engine.transaction((session) =>
    session.run(
      `insert into audit_log (org, sequence, id, occurred_at, action, resource, actor_kind, actor_name, salt, content,
        content_hash, hash)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < $1)
       select 1, 1000 + i, 'entry ' || i, '2026-01-01T00:00:00.000Z', 'a.b', 'as', 'system', 'x', '', $2, '', ''
       from n`,
      [count, JSON.stringify({ before: null, after: { description: 'x'.repeat(2000) } })],
    ),
  )
}

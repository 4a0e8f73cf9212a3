import { connect } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { Caller, NoAnswer } from './caller.ts'
import { Ledger } from './ledger.ts'
import { createSite } from './site.ts'

const EXIT_MS = 10_000
const LENIENCE_MS = 1500
/** A caller that is silent for longer between two requests may find its connection closed. */
const SILENT_MS = 250

describe.each(['sqlite', 'postgres'])('SIGTERM under load, on %s', (engine) => {
  let postgres: PostgresServer | undefined
  beforeAll(async () => {
    if (engine === 'postgres') postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  it('requests under way finish, none is cut off, it exits with 0 within 10 s, and the next start works at once', async () => {
    const site = await createSite(postgres)
    const ledger = new Ledger()
    let server = await site.serve()
    let meaningful = 0
    for (let round = 0; round < 5 && meaningful < 2; round++) {
      let isStopping = false
      const stalls = monitorEventLoopDelay({ resolution: 10 })
      stalls.enable()
      const cutOff: string[] = []
      // Every writer has one connection and one request on it, nearly always: SIGTERM meets requests under way.
      const writers = Array.from({ length: 12 }, async (_, writer) => {
        const caller = new Caller(server.url, site.token, 1)
        for (let i = 0; i < 3000; i++) {
          const name = `stop-${round}-${writer}-${i}`
          ledger.open.add(name)
          const result = await caller.create('/api/v1/locations', { name }, name).catch((error: NoAnswer) => error)
          if (result instanceof NoAnswer) {
            ledger.open.delete(name)
            // A new connection that nobody takes any more is how the end shows. Any other was cut off.
            if (!isStopping || result.isReused) cutOff.push(`${name}: ${result.message}`)
            break
          }
          await ledger.note(Promise.resolve(result))
          if (result.status !== 201) break
          ledger.open.delete(name)
          ledger.created.set(name, result.body.data.id)
        }
        caller.close()
      })
      await delay(700)
      isStopping = true
      const asked = performance.now()
      const { code } = await server.stop()
      const took = performance.now() - asked
      const next = site.serve({ port: server.port })
      await Promise.all(writers)
      expect(code).toBe(0)
      expect(took).toBeLessThan(EXIT_MS + LENIENCE_MS)
      server = await next
      stalls.disable()
      // Where the machine did not let the callers run, they were silent, and the round says nothing.
      if (stalls.max / 1e6 > SILENT_MS && cutOff.length > 0) continue
      expect(cutOff).toEqual([])
      meaningful += 1
    }
    expect(meaningful).toBeGreaterThan(0)
    expect(ledger.statuses).toEqual({ 201: ledger.created.size })
    expect(ledger.created.size).toBeGreaterThan(50)
    await ledger.expectKept(site)
  })

  it('a caller who is slow in sending its request gets its answer; one who never ends does not hold up the exit', async () => {
    const site = await createSite(postgres)
    const server = await site.serve()
    const body = JSON.stringify({ name: 'Slow but honest' })
    const open = (opening: string) => {
      const socket = connect(server.port, '127.0.0.1')
      let received = ''
      socket.on('data', (chunk) => {
        received += chunk
      })
      socket.on('error', () => undefined)
      socket.write(opening)
      onTestFinished(() => void socket.destroy())
      return { socket, received: () => received, closed: new Promise((resolve) => socket.on('close', resolve)) }
    }
    const head =
      `POST /api/v1/locations HTTP/1.1\r\nHost: ` +
      `127.0.0.1\r\nAuthorization: Token ${site.token}\r\nContent-Type: application/json\r\n`
    const honest = open(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`)
    const endless = open(`${head}Content-Length: 500\r\n\r\n{`)
    await delay(500)
    const asked = performance.now()
    server.signal('SIGTERM')
    await delay(500)
    honest.socket.write(body.slice(5))
    await honest.closed
    expect(honest.received()).toMatch(/^HTTP\/1\.1 201 /)
    expect(honest.received()).toMatch(/connection: close/i)
    const { code } = await server.exit
    expect(code).toBe(0)
    expect(performance.now() - asked).toBeLessThan(EXIT_MS + LENIENCE_MS)
    await endless.closed
    expect(endless.received()).not.toMatch(/ 201 /)
  })
})

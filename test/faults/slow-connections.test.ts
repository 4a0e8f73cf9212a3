import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Caller } from './caller.ts'
import { watch } from './figures.ts'
import { createSite } from './site.ts'

const CLOSED_MS = 15_000
/** A machine that is busy with everything else may be late. */
const LENIENCE_MS = 3000

interface Attacker {
  socket: Socket
  /** How long the server put up with it. */
  lasted: Promise<number>
  received: () => string
}

/** Says something once it is connected, goes on with `drip` every second if there is one, and never finishes. */
function attack(port: number, opening: string, drip?: string): Attacker {
  const socket = connect(port, '127.0.0.1')
  const started = performance.now()
  let received = ''
  let timer: NodeJS.Timeout | undefined
  socket.on('connect', () => socket.write(opening))
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.on('error', () => undefined)
  if (drip) timer = setInterval(() => socket.writable && socket.write(drip), 1000)
  const lasted = new Promise<number>((resolve) =>
    socket.on('close', () => {
      clearInterval(timer)
      resolve(performance.now() - started)
    }),
  )
  onTestFinished(() => void socket.destroy())
  return { socket, lasted, received: () => received }
}

describe('200 slow connections', () => {
  it('are closed within 15 s, and nobody else notices; idle connections that are kept alive stay', async () => {
    const site = await createSite()
    const server = await site.serve()
    const head = `Host: 127.0.0.1\r\nAuthorization: Token ${site.token}\r\n`
    const post =
      `POST /api/v1/locations HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ` +
      `500\r\n\r\n{"name":`
    const kinds: Array<[string, string?]> = [
      [''],
      ['GET /api/v1/locations HT'],
      [`GET /api/v1/locations HTTP/1.1\r\n${head}X-Slow: `],
      [`GET /api/v1/locations HTTP/1.1\r\n${head}X-Slow: `, 'a'],
      [post],
      [post, ' '],
      [
        `POST /api/v1/locations HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: ` +
          `chunked\r\n\r\n5\r\n{"nam`,
      ],
      // An honest request first, then a second one that does not end.
      [`GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /livez HTTP/1.1\r\nX-Slow: `],
    ]

    const idle = new Caller(server.url, site.token)
    expect((await idle.get('/api/v1/locations')).status).toBe(200)
    const used = idle.localPort

    const attackers = Array.from({ length: 200 }, (_, i) => {
      const [opening, drip] = kinds[i % kinds.length] as [string, string?]
      return attack(server.port, opening, drip)
    })
    let isOver = false
    const allClosed = Promise.all(attackers.map(({ lasted }) => lasted)).finally(() => {
      isOver = true
    })

    // Meanwhile: on a connection that is kept, on new ones, reading and writing.
    const honest = new Caller(server.url, site.token)
    const statuses = new Set<number>()
    let slowest = 0
    const honestly = async () => {
      for (let i = 0; i < 2000 && !isOver; i++) {
        const started = performance.now()
        statuses.add((await honest.get(`/api/v1/locations?limit=${1 + (i % 100)}`)).status)
        statuses.add((await honest.create('/api/v1/locations', { name: `Honest ${i}` }, `honest-${i}`)).status)
        const fresh = new Caller(server.url, site.token)
        statuses.add((await fresh.get('/api/v1/me')).status)
        fresh.close()
        slowest = Math.max(slowest, performance.now() - started)
        await delay(20)
      }
    }
    await watch('200 slow connections', server, honestly)
    const lasted = await allClosed
    expect([...statuses].sort()).toEqual([200, 201])
    expect(slowest, 'the slowest three honest requests').toBeLessThan(3000)
    expect(Math.max(...lasted)).toBeLessThan(CLOSED_MS + LENIENCE_MS)

    // Who was told anything was told so properly.
    const told = attackers.map(({ received }) => received()).filter((text) => text.includes(' 408 '))
    expect(told.length).toBeGreaterThan(0)
    for (const text of told) expect(text).toMatch(/"code":"REQUEST_TIMEOUT".*"req_id":"req_\d+"/)

    // Silent for longer than any slow connection was allowed, and still the same connection.
    expect((await idle.get('/api/v1/locations')).status).toBe(200)
    expect(idle.localPort).toBe(used)
    expect(server.isRunning()).toBe(true)
    idle.close()
    honest.close()
  })
})

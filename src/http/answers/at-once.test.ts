import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { listen } from '../../../test/support/raw-http.ts'

/** A house on a port, with the sockets that it has and how many requests Node made a response for. */
async function startListening() {
  const house = await startHouse()
  const { app, owner } = house
  const seen = { responses: 0, asked: 0, sockets: [] as Socket[] }
  const { authenticateToken } = app.house
  Object.assign(app.house, {
    authenticateToken: (...args: Parameters<typeof authenticateToken>) => {
      seen.asked += 1
      return authenticateToken(...args)
    },
  })
  app.server.on('request', () => {
    seen.responses += 1
  })
  app.server.on('connection', (socket) => seen.sockets.push(socket))
  const port = await listen(app)
  const { id } = await owner.create('/api/v1/locations', { name: 'Harbour' })
  const path = `/api/v1/locations/${id}`
  const request = (headers: readonly string[] = [], token = owner.token, asked = path) =>
    [`GET ${asked} HTTP/1.1`, 'Host: gatehouse.test', `Authorization: Token ${token}`, ...headers, '', ''].join('\r\n')
  /** How many responses Node made meanwhile. */
  const responsesOf = async (ask: () => Promise<unknown>) => {
    const before = seen.responses
    await ask()
    return seen.responses - before
  }
  return { ...house, seen, port, path, request, responsesOf }
}

/** One connection that is kept. */
class Line {
  readonly socket: Socket
  private taken = ''

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1').setEncoding('latin1')
    this.socket.on('data', (piece: string) => {
      this.taken += piece
    })
  }

  /** Sends, and gives whole answers, so many. */
  async ask(bytes: string, answers = 1): Promise<Array<{ head: string; body: string }>> {
    if (bytes) this.socket.write(bytes)
    const found = []
    for (let n = 0; n < answers; n++) found.push(await this.next())
    return found
  }

  async one(bytes: string): Promise<{ head: string; body: string }> {
    const [answer] = await this.ask(bytes)
    return answer as { head: string; body: string }
  }

  private async next(): Promise<{ head: string; body: string }> {
    for (;;) {
      const end = this.taken.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(this.taken.slice(0, end))?.[1] ?? 0)
      if (end >= 0 && this.taken.length >= end + 4 + length) {
        const answer = { head: this.taken.slice(0, end), body: this.taken.slice(end + 4, end + 4 + length) }
        this.taken = this.taken.slice(end + 4 + length)
        return answer
      }
      await once(this.socket, 'data')
    }
  }
}

const withoutMoment = (head: string) => head.replace(/req_\d+/, '').replace(/Date: .*/, '')
const idOf = (head: string) => /req_\d+/.exec(head)?.[0]
const statusOf = ({ head }: { head: string }) => Number(head.split(' ')[1])

it('what is asked again on a kept connection is answered the same, and Node makes no response for it', async () => {
  const { port, request, seen, responsesOf } = await startListening()
  const line = new Line(port)
  const answers = [await line.one(request())]
  expect(await responsesOf(async () => answers.push(await line.one(request()), await line.one(request())))).toBe(0)
  const [first] = answers as [{ head: string; body: string }]
  for (const { head, body } of answers) {
    expect(body).toBe(first.body)
    expect(withoutMoment(head)).toBe(withoutMoment(first.head))
  }
  expect(new Set(answers.map(({ head }) => idOf(head))).size).toBe(3)
  const etag = /etag: (.*)/i.exec(first.head)?.[1]
  const known = request([`If-None-Match: ${etag}`])
  expect(statusOf(await line.one(known))).toBe(304)
  expect(await responsesOf(async () => expect(await line.one(known)).toMatchObject({ body: '' }))).toBe(0)
  // As long as Node says in every answer's head, and a second more.
  expect(seen.sockets.map(({ timeout }) => timeout)).toEqual([66_000])
  line.socket.destroy()
})

it('the first on a connection takes the usual way, and so does what wants another protocol or ends it', async () => {
  const { port, request, responsesOf } = await startListening()
  await new Line(port).one(request())
  const line = new Line(port)
  expect(await responsesOf(() => line.one(request()))).toBe(1)
  const upgrade = request(['Connection: Upgrade', 'Upgrade: websocket'])
  expect(await responsesOf(() => line.ask(upgrade))).toBe(1)
  expect(await responsesOf(() => line.ask(upgrade))).toBe(1)
  expect(await responsesOf(() => line.one(request()))).toBe(0)
  const last = request(['Connection: close'])
  expect(await responsesOf(async () => expect((await line.one(last)).head).toMatch(/connection: close/i))).toBe(1)
  await once(line.socket, 'close')
})

it('several at once are answered in their order, whichever way each takes', async () => {
  const { port, request, owner } = await startListening()
  const { id } = await owner.create('/api/v1/locations', { name: 'Airport' })
  const line = new Line(port)
  await line.one(request())
  const other = (n: number) => request([], owner.token, `/api/v1/locations/${id}?n=${n}`)
  const answers = await line.ask(request() + other(1) + request() + request() + other(2) + request(), 6)
  expect(answers.map(statusOf)).toEqual([200, 400, 200, 200, 400, 200])
  const ids = answers.map(({ head }) => BigInt(idOf(head)?.slice(4) ?? 0))
  expect(ids).toEqual(ids.toSorted((a, b) => Number(a - b)))
  line.socket.destroy()
})

it('a change, a revocation and a stop hold at once', async () => {
  const { app, port, path, request, owner, seen, client, loggedIn, responsesOf } = await startListening()
  const line = new Line(port)
  const ask = async () => JSON.parse((await line.one(request())).body).data.name
  expect([await ask(), await ask()]).toEqual(['Harbour', 'Harbour'])
  expect((await owner.patch(path, { name: 'Port' })).status).toBe(200)
  expect([await ask(), await ask()]).toEqual(['Port', 'Port'])
  expect(await responsesOf(ask)).toBe(0)

  const [user] = (await owner.get('/api/v1/service-users?limit=1')).body.data
  const tokens = `/api/v1/service-users/${user.id}/tokens`
  const made = await loggedIn(owner.token).create(tokens, { name: 'Other', expires_at: '2027-12-31' })
  const other = request([], made.value)
  expect([await line.one(other), await line.one(other)].map(statusOf)).toEqual([200, 200])
  expect((await owner.post(`${tokens}/${made.id}/revoke`)).status).toBe(200)
  expect((await client(made.value).get(path)).status).toBe(401)
  const before = seen.asked
  expect(statusOf(await line.one(other))).toBe(401)
  // Asked twice who calls, one refusal would count as two.
  expect(seen.asked - before).toBe(1)

  app.sameAgain.stop()
  expect(await responsesOf(ask)).toBe(1)
  line.socket.destroy()
})

it('a reader who takes nothing is waited for as with every answer, and then has all of them', async () => {
  const { port, request, owner, seen, responsesOf } = await startListening()
  const description = 'x'.repeat(2000)
  for (let n = 0; n < 6; n++) await owner.create('/api/v1/locking-system', { name: `Plan ${n}`, description })
  const plans = request([], owner.token, '/api/v1/locking-system?limit=6')
  const line = new Line(port)
  await line.one(plans)
  line.socket.pause()
  let sent = 0
  /** Waits until it is answered, not until the answer is there. */
  const send = async () => {
    const before = seen.asked
    line.socket.write(plans)
    sent += 1
    while (seen.asked === before) await setTimeout(0)
  }
  const usual = await responsesOf(async () => {
    // Until the server has more to send than the system takes.
    while (seen.sockets[0]?.writableLength === 0) await send()
  })
  expect(usual).toBe(0)
  expect(await responsesOf(send)).toBe(1)
  line.socket.resume()
  const answers = await line.ask('', sent)
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
  expect(new Set(answers.map(({ head }) => idOf(head))).size).toBe(sent)
  line.socket.destroy()
})

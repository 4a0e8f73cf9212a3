import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { EventSource } from 'eventsource'
import { afterEach, describe, expect, it } from 'vitest'
import { type Client, startHouse } from '../../../test/support/app.ts'
import { newPerson } from '../../../test/support/people.ts'

const house = await startHouse({ streamTimes: { heartbeatMs: 200, checkMs: 100, lastsMs: 3_600_000 } })
const { app, owner } = house
await app.listen({ port: 0, host: '127.0.0.1' })
const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const path = '/api/v1/changes/stream'
const make = (name: string) => owner.create('/api/v1/locations', { name })
const last = async (): Promise<number> => (await owner.get('/api/v1/changes?type=demo.erased')).body.meta.last

const open: Array<{ close(): void }> = []
afterEach(() => {
  for (const source of open.splice(0)) source.close()
})

/** An EventSource as browsers have it, with a token in a header. */
function follow(query: string, { token }: Client = owner, lastEventId?: string) {
  const source = new EventSource(`${base}${path}${query}`, {
    fetch: (url, init) =>
      fetch(url, {
        ...init,
        headers: {
          ...init.headers,
          authorization: `Token ${token}`,
          ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
        },
      }),
  })
  open.push(source)
  const seen = {
    cursors: [] as Array<{ sequence: number; limited_to?: object[]; missing_permissions?: string[] }>,
    names: [] as string[],
    ids: [] as string[],
    closed: [] as string[],
    errors: [] as number[],
    isOpen: false,
  }
  source.addEventListener('message', ({ data, lastEventId: id }) => {
    seen.names.push(JSON.parse(data).data?.name)
    seen.ids.push(id)
  })
  source.addEventListener('cursor', ({ data }) => {
    seen.isOpen = true
    seen.cursors.push(JSON.parse(data))
  })
  source.addEventListener('closed', ({ data }) => {
    seen.closed.push(JSON.parse(data).reason)
    source.close()
  })
  source.addEventListener('error', ({ code }) => void seen.errors.push(code ?? 0))
  return { source, seen }
}

/** The plain answer, whose reader may or may not read. */
const ask = (query: string, { token }: Client, headers: Record<string, string> = {}): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const call = get(
      `${base}${path}${query}`,
      { headers: { authorization: `Token ${token}`, ...headers } },
      resolve,
    ).on('error', reject)
    open.push({ close: () => call.destroy() })
  })

describe('a stream', () => {
  it('gives what comes, as it comes, and what came before where that is asked for', async () => {
    const before = await last()
    await make('Early')
    const { seen: all } = follow(`?after=${before}`)
    const { seen: fresh } = follow('')
    await expect.poll(() => [all.names, fresh.isOpen]).toEqual([['Early'], true])
    await make('Late')
    await expect.poll(() => [all.names, fresh.names]).toEqual([['Early', 'Late'], ['Late']])
    expect(all.ids.map(Number)).toEqual([before + 1, before + 2])
  })

  it('is narrowed by type, and hides what the reader may not see', async () => {
    const here = await make('Here')
    const local = await house.member('Integration', { location_id: here.id })
    const { seen } = follow('?type=building.*')
    const { seen: limited } = follow('', local)
    await expect.poll(() => [seen.isOpen, limited.isOpen]).toEqual([true, true])
    const there = await make('There')
    await owner.create('/api/v1/buildings', { name: 'Outside', location_id: there.id })
    await owner.create('/api/v1/buildings', { name: 'Inside', location_id: here.id })
    await expect.poll(() => [seen.names, limited.names]).toEqual([['Outside', 'Inside'], ['Inside']])
  })

  it('says at its beginning what its reader does not see, as the feed does, and anew when that changes', async () => {
    const here = await make('Only here')
    const local = await house.member('Integration', { location_id: here.id })
    await owner.create('/api/v1/roles', { name: 'Follows spaces', permissions: ['changes:read', 'spaces:read'] })
    const blind = await house.member('Follows spaces')
    const limitsOf = async (reader: Client) => {
      const { limited_to, missing_permissions } = (await reader.get('/api/v1/changes')).body.meta
      return { ...(limited_to && { limited_to }), ...(missing_permissions && { missing_permissions }) }
    }
    const readers = [local, blind, owner]
    const streams = readers.map((reader) => follow('', reader).seen)
    await expect.poll(() => streams.every(({ isOpen }) => isOpen)).toBe(true)
    const limits = await Promise.all(readers.map(limitsOf))
    expect(limits).toMatchObject([
      { limited_to: [{ location_id: here.id, name: 'Only here' }] },
      { missing_permissions: expect.arrayContaining(['locations:read']) },
      {},
    ])
    expect(streams.map(({ cursors }) => cursors[0])).toEqual(
      limits.map((limit) => ({ sequence: expect.any(Number), ...limit })),
    )
    const [role] = (await owner.get('/api/v1/roles?name=eq.Follows spaces')).body.data
    const permissions = ['changes:read', 'spaces:read', 'locations:read']
    await owner.patch(`/api/v1/roles/${role.id}`, { permissions })
    const lacking = (await limitsOf(blind)).missing_permissions
    expect(lacking).not.toContain('locations:read')
    await expect.poll(() => streams[1]?.cursors.at(-1)?.missing_permissions).toEqual(lacking)
  })

  it('that was cut off goes on by Last-Event-ID, whatever its address says, without a gap or a repeat', async () => {
    const before = await last()
    await make('One')
    const { seen: first, source } = follow(`?after=${before}`)
    await expect.poll(() => first.names).toEqual(['One'])
    source.close()
    await make('Two')
    const { seen } = follow(`?after=${before}`, owner, first.ids.at(-1))
    await make('Three')
    await expect.poll(() => seen.names).toEqual(['Two', 'Three'])
    for (const odd of ['x', '-1', '1.5']) expect((await ask('', owner, { 'last-event-id': odd })).statusCode).toBe(400)
    const ahead = await ask(`?after=${(await last()) + 5}`, owner)
    expect(ahead.statusCode).toBe(400)
  })

  it('gives a sign of life when nothing comes, and its head at once', async () => {
    const answer = await ask('', owner)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    })
    expect(answer.headers['content-encoding']).toBeUndefined()
    let text = ''
    answer.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    await expect.poll(() => text.match(/^: heartbeat$/gm)?.length ?? 0).toBeGreaterThan(1)
  })

  it.each([
    [
      'its token is revoked',
      'credential',
      (id: string, token: string) => owner.post(`/api/v1/service-users/${id}/tokens/${token}/revoke`),
    ],
    [
      'its service user is suspended',
      'credential',
      (id: string) => owner.patch(`/api/v1/service-users/${id}`, { status: 'suspended' }),
    ],
    [
      'its role is taken',
      'permission',
      async (id: string) => {
        const [given] = (await owner.get(`/api/v1/role-assignments?service_user_id=eq.${id}`)).body.data
        return owner.delete(`/api/v1/role-assignments/${given.id}`)
      },
    ],
  ])('is closed when %s, and says so', async (_when, reason, act) => {
    const reader = await house.member('Integration')
    const me = (await reader.get('/api/v1/me')).body.data
    const { seen } = follow('', reader)
    await expect.poll(() => seen.isOpen).toBe(true)
    expect((await act(me.id, me.token.id)).status).toBe(200)
    await expect.poll(() => seen.closed, { timeout: 1000 }).toEqual([reason])
    await make('Afterwards')
    expect(seen.names).not.toContain('Afterwards')
  })

  it('of somebody logged in is closed when a second factor is demanded of them', async () => {
    const person = await newPerson(house, 'Integration')
    const answer = await fetch(`${base}${path}`, { headers: { cookie: person.cookie } })
    const demand = (value: boolean) =>
      house.loggedIn(owner.token).patch('/api/v1/organization', { require_second_factor: value })
    expect([answer.status, (await demand(true)).status]).toEqual([200, 200])
    expect(await answer.text()).toMatch(/event: closed\ndata: {"reason":"permission"}\n\n$/)
    expect((await demand(false)).status).toBe(200)
  })

  it('whose reader takes nothing holds no more than a piece, and is cut off when its credential is gone', async () => {
    const reader = await house.member('Integration')
    const me = (await reader.get('/api/v1/me')).body.data
    const before = await last()
    const description = 'x'.repeat(2000)
    for (let i = 0; i < 300; i++) await owner.create('/api/v1/access-groups', { name: `G${i}`, description })
    const rounds = Array.from({ length: 10 }, () => ask(`?after=${before}`, reader))
    const answers = await Promise.all(rounds)
    for (const answer of answers) answer.pause()
    // As many as one credential may have.
    expect((await ask('', reader)).statusCode).toBe(429)
    await owner.post(`/api/v1/service-users/${me.id}/tokens/${me.token.id}/revoke`)
    await Promise.all(
      answers.map(
        (answer) =>
          new Promise((resolve) =>
            answer
              .on('close', resolve)
              .on('error', () => undefined)
              .resume(),
          ),
      ),
    )
  })

  it('asked for by HEAD is its head alone; without a credential 401, without the permission 403', async () => {
    const head = await app.inject({ method: 'HEAD', url: path, headers: { authorization: `Token ${owner.token}` } })
    expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ])
    expect((await house.anonymous.get(path)).status).toBe(401)
    await owner.create('/api/v1/roles', { name: 'Nothing', permissions: ['locations:read'] })
    expect((await (await house.member('Nothing')).get(path)).status).toBe(403)
    expect((await owner.get(`${path}?limit=5`)).status).toBe(400)
  })
})

it('a stream whose reader has left is over at once, though nothing was to be sent: others may come', async () => {
  const quiet = await startHouse({ streamTimes: { heartbeatMs: 3_600_000, checkMs: 100, lastsMs: 3_600_000 } })
  await quiet.app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(quiet.app.server.address() as AddressInfo).port}${path}`
  const headers = { authorization: `Token ${quiet.owner.token}` }
  const streams = async () => {
    const leaving = new AbortController()
    const all = Array.from({ length: 10 }, () => fetch(url, { headers, signal: leaving.signal }))
    return { answers: await Promise.all(all), leave: () => leaving.abort() }
  }
  const { answers, leave } = await streams()
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  // Each has said how far it was, and waits.
  for (const { body } of answers) await body?.getReader().read()
  const another = async () => (await fetch(url, { method: 'HEAD', headers })).status
  expect(await another()).toBe(429)
  leave()
  await expect.poll(another).toBe(200)
  await quiet.app.close()
})

it('streams are told when the service stops, which waits for none of them', async () => {
  const { seen } = follow('')
  await expect.poll(() => seen.isOpen).toBe(true)
  const stopped = app.close()
  await expect.poll(() => seen.closed, { timeout: 1000 }).toEqual(['stopping'])
  await stopped
})

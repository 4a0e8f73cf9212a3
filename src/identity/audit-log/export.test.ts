import { randomUUID } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { actor, startHouse } from '../../../test/support/app.ts'
import { csvLine } from '../../core/csv.ts'
import { createOrganization } from '../organizations.ts'

const house = await startHouse()
const { owner, clock, engine, app } = house
const list = '/api/v1/audit-log'
const path = `${list}/export`

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** The cells of a CSV text, by RFC 4180. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
    if (end === '') break
  }
  return rows.slice(0, -1)
}

describe('an export of the audit log', () => {
  it('as NDJSON has what the list has, all of it, in the order of events', async () => {
    for (let i = 0; i < 12; i++) await owner.create('/api/v1/locations', { name: `Location ${i}` })
    const { data } = (await owner.get(`${list}?limit=100`)).body
    const answer = await owner.get(path)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': 'attachment; filename="audit-log-2027-06-15T120000Z.ndjson"',
      'cache-control': 'no-store',
    })
    expect(data.length).toBeGreaterThan(12)
    expect(linesOf(answer.text)).toEqual(data)
  })

  it.each(['ndjson', 'csv'])('as %s comes compressed to whoever takes it', async (format) => {
    const url = `${path}?format=${format}&resource=locations`
    const headers = { authorization: `Token ${owner.token}`, 'accept-encoding': 'gzip' }
    const { rawPayload, headers: got } = await app.inject({ url, headers })
    expect(got['content-encoding']).toBe('gzip')
    expect(gunzipSync(rawPayload).toString()).toBe((await owner.get(url)).text)
  })

  it('as CSV has the same, with a line of names', async () => {
    const answer = await owner.get(`${path}?format=csv&resource=locations`, { accept: 'text/csv' })
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    const [names = [], ...rows] = cellsOf(answer.text)
    const { data } = (await owner.get(`${list}?limit=100&resource=eq.locations`)).body
    expect(names).toEqual(Object.keys(data[0]))
    const texts = (value: unknown) =>
      value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
    expect(rows).toEqual(data.map((entry: object) => Object.values(entry).map(texts)))
  })

  it('has only what was asked for: a time, an action, a kind, an item, an actor', async () => {
    clock.forward(1000)
    const from = clock.now()
    const { id } = await owner.create('/api/v1/locations', { name: 'Late' })
    await owner.delete(`/api/v1/locations/${id}`)
    clock.forward(1000)
    const to = clock.now()
    const other = await owner.create('/api/v1/locations', { name: 'Later' })
    const me = (await owner.get('/api/v1/me')).body.data
    const actions = async (query: string) =>
      linesOf((await owner.get(`${path}?${query}`)).text).map(({ action, resource_id }) => `${action} ${resource_id}`)
    expect(await actions(`from=${from}&to=${to}`)).toEqual([`location.created ${id}`, `location.deleted ${id}`])
    expect(await actions(`from=${from}&action=location.created`)).toEqual([
      `location.created ${id}`,
      `location.created ${other.id}`,
    ])
    expect(await actions(`resource_id=${other.id}`)).toEqual([`location.created ${other.id}`])
    expect(await actions(`from=${from}&resource=roles`)).toEqual([])
    expect(new Set((await actions(`actor_id=${me.id}`)).map((line) => line.split(' ')[0]))).toContain(
      'location.deleted',
    )
    expect(await actions('to=2020-01-01')).toEqual([])
  })

  it('is itself on the record, with what was asked for, before the first line is sent', async () => {
    const answer = await owner.get(`${path}?format=csv&resource=keys&from=2027-01-01`)
    const [entry] = (await owner.get(`${list}?action=eq.audit_log.exported&order=sequence.desc&limit=1`)).body.data
    expect(entry).toMatchObject({
      ...{
        resource: 'audit-log',
        resource_id: null,
        req_id: answer.headers['x-request-id'],
        address: '127.0.0.1',
        before: null,
      },
      after: { format: 'csv', resource: 'keys', from: '2027-01-01T00:00:00.000Z' },
    })
  })

  it('holds nothing of another organization, and nothing for whoever is limited to a place', async () => {
    await createOrganization(engine, clock.now(), actor, 'Other')
    const other = await house.member('Owner', {}, 'Other')
    expect(linesOf((await other.get(path)).text).map(({ action }) => action)).not.toContain('location.created')
    const location = await owner.create('/api/v1/locations', { name: 'Only here' })
    const local = await house.member('Auditor', { location_id: location.id })
    expect((await local.get(path)).text).toBe('')
    expect(cellsOf((await local.get(`${path}?format=csv`)).text)).toHaveLength(1)
  })

  it('with a wrong parameter is 400, and is not recorded; nor is asking for the headers alone', async () => {
    const count = async () => (await owner.get(`${list}?action=eq.audit_log.exported`)).body.meta.pagination.total
    const before = await count()
    const head = await app.inject({ method: 'HEAD', url: path, headers: { authorization: `Token ${owner.token}` } })
    expect([head.statusCode, head.body]).toEqual([200, ''])
    for (const query of [
      'format=pdf',
      'from=yesterday',
      'resource_id=1',
      'action=',
      'limit=10',
      'format=csv&format=csv',
      'order=sequence',
    ])
      expect((await owner.get(`${path}?${query}`)).status, query).toBe(400)
    expect(await count()).toBe(before)
  })

  it('is 401 without a credential, 403 without audit-log:read, 405 for anything but GET, 406 where no such file is wanted', async () => {
    expect((await house.anonymous.get(path)).status).toBe(401)
    expect((await (await house.member('Facility manager')).get(path)).status).toBe(403)
    expect((await owner.post(path, {})).status).toBe(405)
    expect((await owner.get(path, { accept: 'image/png' })).status).toBe(406)
    expect((await owner.get(list, { accept: 'text/csv' })).headers['content-type']).toBe('text/csv; charset=utf-8')
  })

  it.each(['identity', 'gzip', 'br'])(
    'that fails before its first line is an error like any other, to whoever takes %s',
    async (coding) => {
      const { key } = await createOrganization(engine, clock.now(), actor, `Broken ${coding}`)
      const { token } = await house.member('Owner', {}, `Broken ${coding}`)
      await engine.transaction((session) => session.run('update audit_log set content = $1 where org = $2', ['{', key]))
      const answer = await app.inject({
        url: path,
        headers: { authorization: `Token ${token}`, 'accept-encoding': coding },
      })
      expect(answer.statusCode).toBe(500)
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      for (const name of ['content-encoding', 'content-disposition'])
        expect([name, answer.headers[name]]).toEqual([name, undefined])
      expect(answer.json().error.code).toBe('INTERNAL')
    },
  )

  it('waits for a reader that is slow, and is whole in the end', { timeout: 60_000 }, async () => {
    const { key } = await createOrganization(engine, clock.now(), actor, 'Large')
    const reader = await house.member('Owner', {}, 'Large')
    const ROWS = 20_000
    const content = JSON.stringify({ before: null, after: { description: 'x'.repeat(2000) } })
    await engine.transaction(async (session) => {
      for (let at = 0; at < ROWS; at += 500) {
        const rows = Array.from(
          { length: 500 },
          (_, i) =>
            `(${key}, ${1000 + at + i}, '${randomUUID()}', '${clock.now()}', 'a.b', 'as', 'system', ` +
            `'x', '', '${content}', '', '')`,
        )
        await session.script(
          `insert into audit_log (org, sequence, id, occurred_at, action, resource, actor_kind, actor_name, salt,
            content, content_hash, hash) values ${rows.join(', ')}`,
        )
      }
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const sockets: Socket[] = []
    app.server.on('connection', (socket) => sockets.push(socket))
    const { port } = app.server.address() as AddressInfo
    const begin = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { authorization: `Token ${reader.token}` }
        get({ host: '127.0.0.1', port, path: `${path}?action=a.b`, headers }, resolve).on('error', reject)
      })
    const answer = await begin()
    // Nobody reads: the server has sent what the network holds, and stops.
    const sent = () => sockets[0]?.bytesWritten ?? 0
    let before = -1
    await expect
      .poll(
        () => {
          const isStill = sent() === before
          before = sent()
          return isStill && before > 0
        },
        { timeout: 20_000, interval: 300 },
      )
      .toBe(true)
    expect(before).toBeLessThan((ROWS * 2000) / 2)

    // There are only so many of them at once.
    const others = await Promise.all([begin(), begin(), begin()])
    const another = () => reader.get(`${path}?action=b.c`)
    expect(await another()).toMatchObject({ status: 503, body: { error: { reason: 'too_many_readers' } } })
    for (const other of others) other.destroy()
    await expect.poll(async () => (await another()).status).toBe(200)

    let lines = 0
    for await (const chunk of answer) for (const byte of chunk as Buffer) if (byte === 10) lines += 1
    expect(lines).toBe(ROWS)
  })

  it('that fails before its first line is our error, and no file', async () => {
    const run = (statement: string) => engine.transaction((session) => session.script(statement))
    await run('alter table audit_log rename to audit_log_away')
    const answer = await owner.get(path).finally(() => run('alter table audit_log_away rename to audit_log'))
    expect([answer.status, answer.body.error.code]).toEqual([500, 'INTERNAL'])
    expect(answer.headers['content-disposition']).toBeUndefined()
  })
})

describe('a cell of CSV', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '=cmd|"/c calc"!A1'])(
    '%j is a text and no formula',
    (text) => {
      const [[cell] = []] = cellsOf(csvLine([text, 1]))
      expect(cell).toBe(`'${text}`)
    },
  )

  it('comes back as it was, whatever stands in it', () => {
    const texts = ['', 'plain', 'a,b', 'a"b', 'a\r\nb', ' blank ', 'Zürich 👋', "it's", '{"a":1}']
    expect(cellsOf(csvLine([...texts, 5, null, { a: ['b'] }]))).toEqual([[...texts, '5', '', '{"a":["b"]}']])
  })
})

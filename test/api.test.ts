import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'
import { allResources } from '../src/all-resources.ts'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { type Answer, openEngine, startHouse, TestClock } from './support/app.ts'
import { countRows } from './support/rows.ts'

const house = await startHouse()
const { app, owner, engine, clock } = house
const unknown = '01997d2a-4c00-7000-8000-00000000ffff'

let location: { id: string; name: string }
beforeAll(async () => {
  location = await owner.create('/api/v1/locations', { name: 'Zürich', address: 'Rämistrasse 101' })
})
const itemPath = () => `/api/v1/locations/${location.id}`
const rowsNamed = async (name: string) =>
  (await owner.get(`/api/v1/locations?name=eq.${name}`)).body.meta.pagination.total

function expectError(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.body.error?.code], answer.text).toEqual([status, code])
  expect(answer.body.error.req_id).toBe(answer.headers['x-request-id'])
}

describe('paths', () => {
  it('a trailing slash is the same path', async () => {
    for (const path of [
      '/api/v1/locations',
      '/v1/core/locking-system',
      '/api/v1/spaces',
      itemPath(),
      '/api/v1/locking-system/overview',
      '/livez',
    ]) {
      const [plain, slashed] = [await owner.get(path), await owner.get(`${path}/`)]
      expect(slashed.status).toBe(200)
      expect(slashed.body).toEqual(plain.body)
    }
    const created = await owner.post('/api/v1/locations/', { name: 'Slash' })
    expect(created.headers.location).toBe(`/api/v1/locations/${created.body.data.id}`)
    expect((await owner.delete(`/api/v1/locations/${created.body.data.id}/`)).status).toBe(200)
  })

  it.each([
    '/api/v1/nothing',
    '/v1/nothing',
    '/api',
    '/v1',
    '/api/v2/locations',
    '/nothing',
    '/docs/nothing',
    '/api/v1/locations/x/y/z',
  ])('an unknown path is 404 in the error body: %s', async (path) => {
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'])
      expectError(await owner.request(method, path), 404, 'NOT_FOUND')
    expectError(await house.anonymous.get(path), 404, 'NOT_FOUND')
  })

  it.each([
    ['PUT', '/api/v1/locations', 'GET, HEAD, OPTIONS, POST'],
    ['DELETE', '/api/v1/spaces', 'GET, HEAD, OPTIONS, POST'],
    ['POST', `/api/v1/locations/${unknown}`, 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['POST', '/v1/core/locking-system', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/v1/core/locking-system/', 'GET, HEAD, OPTIONS'],
    ['POST', '/livez', 'GET, HEAD, OPTIONS'],
    ['GET', `/api/v1/individuals/${unknown}/suspend`, 'OPTIONS, POST'],
    // Both the collection's item and the overview are at this address.
    ['PUT', '/api/v1/locking-system/overview', 'DELETE, GET, HEAD, OPTIONS, PATCH, POST'],
  ])('a wrong method is 405 with Allow in the error body: %s %s', async (method, path, allow) => {
    const answer = await owner.request(method, path)
    expectError(answer, 405, 'METHOD_NOT_ALLOWED')
    expect(answer.headers.allow).toBe(allow)
    expect(answer.body.msg).toContain(allow)
  })

  it('OPTIONS says what is possible, with a msg', async () => {
    const answer = await house.anonymous.request('OPTIONS', '/api/v1/locations')
    expect([answer.status, answer.headers.allow]).toEqual([200, 'GET, HEAD, OPTIONS, POST'])
    expect(answer.body).toEqual({ msg: 'Possible here: GET, HEAD, OPTIONS, POST' })
  })
})

describe('what a request may look like', () => {
  it.each(['text/html', 'application/xml', 'application/json;q=0', 'image/*, text/html', 'application/jsonp'])(
    'Accept: %s is 406',
    async (accept) => {
      expectError(await owner.get('/api/v1/locations', { accept }), 406, 'NOT_ACCEPTABLE')
    },
  )

  it.each([
    '*/*',
    'application/json',
    'application/*',
    'APPLICATION/JSON',
    'text/html, application/json;q=0.1',
    'application/json; charset=utf-8',
    'text/html, */*;q=0.1',
  ])('Accept: %s is taken', async (accept) => {
    expect((await owner.get('/api/v1/locations', { accept })).status).toBe(200)
  })

  it('an address of more than 12 KiB is 414, a query string of more than 8 KiB or a badly encoded path is 400', async () => {
    expectError(await owner.get(`/api/v1/locations?search=${'x'.repeat(12 * 1024)}`), 414, 'URI_TOO_LONG')
    expectError(await owner.get(`/api/v1/locations/${'x'.repeat(3000)}`), 414, 'URI_TOO_LONG')
    expectError(await owner.get('/api/v1/locations/%zz'), 400, 'MALFORMED_REQUEST')
    expectError(await owner.get(`/api/v1/locations?search=${'x'.repeat(8 * 1024)}`), 400, 'VALIDATION_ERROR')
  })

  it.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json-patch+json',
    'x',
  ])('a body as %s is 415', async (type) => {
    const headers = { 'content-type': type }
    expectError(await owner.post('/api/v1/locations', { name: 'x' }, headers), 415, 'UNSUPPORTED_MEDIA_TYPE')
    expectError(await owner.patch(itemPath(), { name: 'x' }, headers), 415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  it('a body without a type is 415', async () => {
    const headers = { authorization: `Token ${owner.token}` }
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/locations',
      headers,
      payload: Buffer.from('{"name":"x"}'),
    })
    expect([answer.statusCode, answer.json().error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  it('no body where one is needed is 400, and the answer says so', async () => {
    for (const headers of [{}, { 'content-type': 'application/json' }]) {
      const created = await owner.request('POST', '/api/v1/locations', undefined, headers)
      expectError(created, 400, 'VALIDATION_ERROR')
      expect(created.body.error.details[0].path).toBe('')
      expectError(await owner.request('PATCH', itemPath(), undefined, headers), 400, 'VALIDATION_ERROR')
    }
  })

  it('a type without a body is taken where none is needed', async () => {
    const { id } = await owner.create('/api/v1/locations', { name: 'Short-lived' })
    const headers = { 'content-type': 'application/json' }
    expect((await owner.get(`/api/v1/locations/${id}`, headers)).status).toBe(200)
    expect((await owner.delete(`/api/v1/locations/${id}`, headers)).status).toBe(200)
  })

  it('a compressed body is 415', async () => {
    const headers = {
      authorization: `Token ${owner.token}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    }
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/locations',
      headers,
      payload: gzipSync('{"name":"x"}'),
    })
    expect([answer.statusCode, answer.json().error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  it.each([
    ['"1" for an integer', { floor: '1' }, 'floor'],
    ['1 for a boolean', { emergency_exit: 1 }, 'emergency_exit'],
    ['"true" for a boolean', { emergency_exit: 'true' }, 'emergency_exit'],
    ['1 for a text', { name: 1 }, 'name'],
    ['1.0 is an integer, 1.5 is not', { floor: 1.5 }, 'floor'],
  ])('types are not coerced: %s is 400', async (_what, body, path) => {
    const answer = await owner.post('/api/v1/access-points', { name: 'Door', space_id: unknown, ...body })
    expectError(answer, 400, 'VALIDATION_ERROR')
    expect(answer.body.error.details).toEqual([expect.objectContaining({ path, rule: 'body.type' })])
  })

  it('every fault of a body is named, at most 20 of them', async () => {
    const body = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`unknown_${index}`, 1]))
    const answer = await owner.post('/api/v1/locations', body)
    expectError(answer, 400, 'VALIDATION_ERROR')
    expect(answer.body.error.details).toHaveLength(20)
    for (const detail of answer.body.error.details) expect(Object.keys(detail)).toEqual(['path', 'rule', 'message'])
  })
})

describe('responses', () => {
  it('X-Request-Id carries a req_id of its own on every answer, never the caller’s', async () => {
    const headers = { 'x-request-id': 'req_1' }
    const etag = String((await owner.get(itemPath())).headers.etag)
    const answers = [
      await owner.get(itemPath(), headers),
      await owner.get(itemPath(), { ...headers, 'if-none-match': etag }),
      await owner.post('/api/v1/locations', { name: 'Numbered' }, headers),
      await owner.get('/api/v1/locations?page=0', headers),
      await house.anonymous.get('/api/v1/locations', headers),
      await (await house.member('Operator')).post('/api/v1/locations', { name: 'x' }, headers),
      await owner.get('/api/v1/nothing', headers),
      await owner.request('PUT', '/api/v1/locations', undefined, headers),
      await owner.request('OPTIONS', '/api/v1/locations', undefined, headers),
      await owner.request('HEAD', '/api/v1/locations', undefined, headers),
      await owner.get('/docs', headers),
      await owner.get('/docs/api/errors/NOT_FOUND', headers),
      await owner.get('/livez', headers),
    ]
    expect(answers.map(({ status }) => status)).toEqual([
      200, 304, 201, 400, 401, 403, 404, 405, 200, 200, 200, 200, 200,
    ])
    const ids = answers.map((answer) => answer.headers['x-request-id'])
    for (const id of ids) expect(id).toMatch(/^req_\d{2,}$/)
    expect(new Set(ids).size).toBe(answers.length)
  })

  it('POST that creates answers 201 with Location, where the item is', async () => {
    const created = await owner.post('/api/v1/locations', { name: 'Basel' })
    expect([created.status, Object.keys(created.body)]).toEqual([201, ['msg', 'data']])
    const found = await owner.get(String(created.headers.location))
    expect(found.body.data).toEqual(created.body.data)
    expect(created.headers.etag).toBe('"1"')
  })

  it('DELETE answers 200 with the deleted item as data, and then it is gone', async () => {
    const item = await owner.create('/api/v1/locations', { name: 'Bern' })
    const deleted = await owner.delete(`/api/v1/locations/${item.id}`)
    expect([deleted.status, deleted.body]).toEqual([200, { msg: 'Deleted location', data: item }])
    expectError(await owner.get(`/api/v1/locations/${item.id}`), 404, 'NOT_FOUND')
    expectError(await owner.delete(`/api/v1/locations/${item.id}`), 404, 'NOT_FOUND')
  })

  it('deleting what something else needs is 409, naming what uses it and how many', async () => {
    const item = await owner.create('/api/v1/locations', { name: 'Used' })
    for (const name of ['One', 'Two']) await owner.create('/api/v1/buildings', { name, location_id: item.id })
    const answer = await owner.delete(`/api/v1/locations/${item.id}`)
    expectError(answer, 409, 'RESOURCE_IN_USE')
    expect(answer.body.msg).toContain('2 buildings')
  })

  it('msg is a short sentence that names the thing, one or many', async () => {
    expect((await owner.get('/api/v1/locations?name=eq.Basel')).body.msg).toBe('Retrieved 1 location')
    expect((await owner.get('/api/v1/locations?name=eq.Nowhere')).body.msg).toBe('Retrieved 0 locations')
    expect((await owner.get(itemPath())).body.msg).toBe('Retrieved location')
  })

  it('an item and an unknown one, and one outside the caller’s reach, have the same body', async () => {
    const answers = [await owner.get(`/api/v1/locations/${unknown}`), await owner.get('/api/v1/locations/not-a-uuid')]
    for (const answer of answers) expectError(answer, 404, 'NOT_FOUND')
    expect(answers[0]?.body.msg).toBe(answers[1]?.body.msg)
  })
})

describe('PATCH is JSON Merge Patch', () => {
  it('sets what is given, clears what is null and leaves the rest', async () => {
    const { id } = await owner.create('/api/v1/locations', { name: 'A', slug: 'a', address: 'Street', latitude: 47 })
    const { body } = await owner.patch(`/api/v1/locations/${id}`, { name: 'B', address: null })
    expect(body.data).toMatchObject({ name: 'B', slug: 'a', address: null, latitude: 47, version: 2 })
  })

  it('as application/json too', async () => {
    const answer = await owner.patch(itemPath(), { slug: 'zh' }, { 'content-type': 'application/json' })
    expect([answer.status, answer.body.data.slug]).toEqual([200, 'zh'])
  })

  it('null where a field cannot be null is 400', async () => {
    const answer = await owner.patch(itemPath(), { name: null })
    expectError(answer, 400, 'VALIDATION_ERROR')
    expect(answer.body.error.details).toEqual([
      {
        path: 'name',
        rule: 'body.type',
        message: 'name must be one line of visible text of 1 to 200 characters, such as "Zürich"; got null',
      },
    ])
  })

  it('an empty string is a value where null is allowed too', async () => {
    expect((await owner.patch(itemPath(), { address: '' })).body.data.address).toBe('')
    expect((await owner.get(`/api/v1/locations?address=eq.&id=eq.${location.id}`)).body.meta.pagination.total).toBe(1)
  })

  it('objects are merged, null removes a member, lists are replaced', async () => {
    const settings = { address: '10.0.0.1', retry: { times: 3, wait: 1 }, doors: [1, 2] }
    const { id } = await owner.create('/api/v1/access-control-systems', { name: 'Merged', settings })
    const change = { address: null, retry: { wait: null, jitter: 2 }, doors: [3] }
    const { body } = await owner.patch(`/api/v1/access-control-systems/${id}`, { settings: change })
    expect(body.data.settings).toEqual({ retry: { times: 3, jitter: 2 }, doors: [3] })
    expect((await owner.get(`/api/v1/access-control-systems/${id}`)).body.data.settings).toEqual(body.data.settings)
  })

  it('that changes nothing moves no version and writes nothing', async () => {
    const before = await countRows(engine)
    const current = (await owner.get(itemPath())).body.data
    for (const body of [
      {},
      { name: current.name },
      { name: current.name, slug: current.slug, address: current.address },
    ]) {
      const answer = await owner.patch(itemPath(), body)
      expect([answer.status, answer.body.data]).toEqual([200, current])
    }
    expect(await countRows(engine)).toEqual(before)
  })
})

describe('ETag', () => {
  it('moves with every change, and If-None-Match gives 304 with no body while it has not', async () => {
    const first = await owner.get(itemPath())
    const etag = String(first.headers.etag)
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await owner.get(itemPath(), { 'if-none-match': header })
      expect([answer.status, answer.text, answer.headers.etag], header).toEqual([304, '', etag])
    }
    for (const header of ['"other"', 'W/"other"', etag.slice(1, -1)]) {
      expect((await owner.get(itemPath(), { 'if-none-match': header })).status, header).toBe(200)
    }
    await owner.patch(itemPath(), { slug: 'changed' })
    const second = await owner.get(itemPath(), { 'if-none-match': etag })
    expect([second.status, second.headers.etag === etag]).toEqual([200, false])
  })

  it('of an item with counts moves when a count does, and still lets a change through', async () => {
    const { id } = await owner.create('/api/v1/access-groups', { name: 'Counted' })
    const path = `/api/v1/access-groups/${id}`
    const etag = String((await owner.get(path)).headers.etag)
    const person = await owner.create('/api/v1/individuals', { display_name: 'Somebody' })
    await owner.create(`${path}/members`, { individual_id: person.id })
    expect((await owner.get(path, { 'if-none-match': etag })).status).toBe(200)
    expect((await owner.patch(path, { description: 'x' }, { 'if-match': etag })).status).toBe(200)
  })

  it.each(['PATCH', 'DELETE', 'action'])(
    'If-Match on %s: 412 when it does not match, and nothing changes',
    async (kind) => {
      const { id } = await owner.create('/api/v1/individuals', { display_name: 'Matched' })
      const path = `/api/v1/individuals/${id}`
      const act = (match: string) => {
        const headers = { 'if-match': match }
        if (kind === 'PATCH') return owner.patch(path, { company: match }, headers)
        return kind === 'DELETE' ? owner.delete(path, headers) : owner.post(`${path}/suspend`, undefined, headers)
      }
      const before = await countRows(engine)
      for (const match of ['"2"', 'W/"2"', '"2", W/"3"', '""', '"1x"', '"2,1"', '"*"'])
        expectError(await act(match), 412, 'VERSION_CONFLICT')
      for (const match of ['1', 'x', 'W/1', 'w/"1"', '"1', '"1", 2', '"1" "2"', '*, "1"', ',', "'1'"]) {
        const answer = await act(match)
        expectError(answer, 400, 'VALIDATION_ERROR')
        expect([answer.body.error.reason, answer.body.msg]).toEqual([
          'header.if_match',
          expect.stringContaining('quotes included, such as "3"'),
        ])
      }
      expect(await countRows(engine)).toEqual(before)
      expect((await act('"7", "1"')).status).toBe(200)
    },
  )

  it.each(['"1"', 'W/"1"', '"1-abc"', 'W/"1-abc"', '"7,8" , W/"1"', '"7","1"'])(
    'If-Match: %s names version 1, weak or not',
    async (match) => {
      const { id } = await owner.create('/api/v1/locations', { name: 'Tagged' })
      expect((await owner.patch(`/api/v1/locations/${id}`, { slug: 'a' }, { 'if-match': match })).status).toBe(200)
      expect((await owner.patch(`/api/v1/locations/${id}`, { slug: 'b' }, { 'if-match': match })).status).toBe(412)
    },
  )

  it('If-Match: * lets through whatever is there, and only what is there', async () => {
    expect((await owner.patch(itemPath(), { slug: 'star' }, { 'if-match': '*' })).status).toBe(200)
    expectError(
      await owner.patch(`/api/v1/locations/${unknown}`, { slug: 'star' }, { 'if-match': '*' }),
      404,
      'NOT_FOUND',
    )
  })

  it('of two who change the same version at once, one does', async () => {
    const { id } = await owner.create('/api/v1/locations', { name: 'Raced' })
    const headers = { 'if-match': '"1"' }
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((slug) => owner.patch(`/api/v1/locations/${id}`, { slug }, headers)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412])
  })
})

describe('Idempotency-Key', () => {
  const post = (body: unknown, key: string, client = owner) =>
    client.post('/api/v1/locations', body, { 'idempotency-key': key })

  it('the same key and body answer the same, and there is one row', async () => {
    const first = await post({ name: 'Once' }, 'once')
    const second = await post({ name: 'Once' }, 'once')
    expect([second.status, second.text, second.headers.location, second.headers.etag]).toEqual([
      201,
      first.text,
      first.headers.location,
      first.headers.etag,
    ])
    expect(await rowsNamed('Once')).toBe(1)
  })

  it('answers the same although the item has changed meanwhile', async () => {
    const first = await post({ name: 'Kept' }, 'kept')
    await owner.patch(String(first.headers.location), { name: 'Changed' })
    expect((await post({ name: 'Kept' }, 'kept')).text).toBe(first.text)
  })

  it('another body, or another path, is 422', async () => {
    await post({ name: 'Reused' }, 'reused')
    expectError(await post({ name: 'Other' }, 'reused'), 422, 'IDEMPOTENCY_KEY_REUSED')
    const elsewhere = await owner.post('/api/v1/access-groups', { name: 'Reused' }, { 'idempotency-key': 'reused' })
    expectError(elsewhere, 422, 'IDEMPOTENCY_KEY_REUSED')
    expect(await rowsNamed('Other')).toBe(0)
  })

  it('sent many times at once makes one row; each gets the answer, or 409 while the first still runs', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post({ name: 'Parallel' }, 'parallel')))
    expect(await rowsNamed('Parallel')).toBe(1)
    const made = answers.filter(({ status }) => status === 201)
    expect(made.length).toBeGreaterThan(0)
    expect(new Set(made.map(({ text }) => text)).size).toBe(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectError(answer, 409, 'IDEMPOTENCY_IN_PROGRESS')
      expect(answer.headers['retry-after']).toBe('1')
    }
  })

  it('sent to two processes at once makes one row', async () => {
    const neighbour = house.client(owner.token, await house.neighbour())
    const clients = [owner, neighbour, owner, neighbour]
    const answers = await Promise.all(clients.map((client) => post({ name: 'Processes' }, 'processes', client)))
    expect(await rowsNamed('Processes')).toBe(1)
    for (const { status } of answers) expect([201, 409]).toContain(status)
  })

  it('is each caller’s own', async () => {
    const other = await house.member('Owner')
    const mine = await post({ name: 'Shared' }, 'shared')
    const theirs = await post({ name: 'Shared' }, 'shared', other)
    expect([mine.status, theirs.status]).toEqual([201, 201])
    expect(mine.body.data.id).not.toBe(theirs.body.data.id)
  })

  it('of a request that was refused can be used again', async () => {
    expectError(await post({ name: 1 }, 'again'), 400, 'VALIDATION_ERROR')
    expectError(await post({ name: 'x', parent_id: unknown }, 'again'), 400, 'VALIDATION_ERROR')
    expect((await post({ name: 'Again' }, 'again')).status).toBe(201)
  })

  it.each(['', ' ', 'a b', 'é', 'x'.repeat(256)])('that is no key is 400: "%s"', async (key) => {
    expectError(await post({ name: 'Keyless' }, key), 400, 'VALIDATION_ERROR')
    expect(await rowsNamed('Keyless')).toBe(0)
  })

  it('holds for 24 hours and no longer', async () => {
    const first = await post({ name: 'Daily' }, 'daily')
    clock.forward(24 * 3_600_000)
    expect((await post({ name: 'Daily' }, 'daily')).text).toBe(first.text)
    clock.forward(1)
    const second = await post({ name: 'Daily' }, 'daily')
    expect(second.status).toBe(201)
    expect(second.body.data.id).not.toBe(first.body.data.id)
    expect((await post({ name: 'Daily' }, 'daily')).text).toBe(second.text)
    expect(await rowsNamed('Daily')).toBe(2)
  })
})

describe('compression', () => {
  it('follows Accept-Encoding, for answers that are worth it', async () => {
    const get = async (url: string, encoding: string) => {
      const headers = { authorization: `Token ${owner.token}`, 'accept-encoding': encoding }
      return app.inject({ method: 'GET', url, headers })
    }
    const plain = await get('/api/v1/locations?limit=100', 'identity')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.body.length).toBeGreaterThan(1024)
    const gzip = await get('/api/v1/locations?limit=100', 'gzip')
    expect(gzip.headers).toMatchObject({ 'content-encoding': 'gzip', vary: expect.stringMatching(/accept-encoding/i) })
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body)
    const brotli = await get('/api/v1/locations?limit=100', 'br, gzip')
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body)
    expect((await get('/livez', 'gzip')).headers['content-encoding']).toBeUndefined()
    expect((await get('/api/v1/locations?limit=100', 'gzip;q=0')).headers['content-encoding']).toBeUndefined()
  })

  it('is the same when the answer is known already, and HEAD tells its length', async () => {
    const ask = (method: 'GET' | 'HEAD', encoding: string) =>
      app.inject({
        method,
        url: '/api/v1/locations?limit=99',
        headers: { authorization: `Token ${owner.token}`, 'accept-encoding': encoding },
      })
    for (const encoding of ['identity', 'gzip', 'br']) {
      const [first, again, head] = [await ask('GET', encoding), await ask('GET', encoding), await ask('HEAD', encoding)]
      expect(again.rawPayload).toEqual(first.rawPayload)
      for (const name of ['content-encoding', 'content-length', 'vary', 'link'])
        expect([name, again.headers[name]]).toEqual([name, first.headers[name]])
      expect([head.rawPayload.length, head.headers['content-length']]).toEqual([0, String(first.rawPayload.length)])
    }
    expect((await ask('GET', 'identity')).body).toContain('Zürich')
  })

  it.each([
    ['GZIP', 'gzip'],
    ['gzip;Q=0.5', 'gzip'],
    ['gzip;q=1, br;q=0.1', 'gzip'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['*', 'br'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['gzip;q=0.000, br;q=0', undefined],
    ['*;q=0', undefined],
    ['deflate, zstd', undefined],
    ['gzip;q=high', undefined],
  ])('goes by what is preferred and what is ruled out: %s', async (encoding, coding) => {
    const headers = { authorization: `Token ${owner.token}`, 'accept-encoding': encoding }
    expect((await app.inject({ url: '/api/v1/locations?limit=100', headers })).headers['content-encoding']).toBe(coding)
  })

  it('is what every answer varies by, and nothing that a 304 speaks of', async () => {
    // A role with every permission is long enough.
    const [{ id }] = (await owner.get('/api/v1/roles?name=eq.Owner')).body.data
    const ask = (encoding: string, headers = {}) =>
      app.inject({
        url: `/api/v1/roles/${id}`,
        headers: { authorization: `Token ${owner.token}`, 'accept-encoding': encoding, ...headers },
      })
    for (const encoding of ['identity', 'gzip']) {
      const whole = await ask(encoding)
      const known = await ask(encoding, { 'if-none-match': whole.headers.etag })
      expect([whole.statusCode, known.statusCode]).toEqual([200, 304])
      expect([whole.headers.vary, known.headers.vary]).toEqual(['Accept-Encoding', 'Accept-Encoding'])
      expect(known.headers['content-encoding']).toBeUndefined()
    }
    expect((await ask('gzip')).headers['content-encoding']).toBe('gzip')
    const page = await app.inject({ url: '/docs', headers: { 'accept-encoding': 'identity' } })
    expect(page.headers.vary).toBe('Accept-Encoding')
  })
})

describe('CORS', () => {
  const origin = 'https://app.example'
  const preflight = {
    origin,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization',
  }

  it('is off by default', async () => {
    for (const answer of [
      await owner.get('/api/v1/locations', { origin }),
      await house.anonymous.request('OPTIONS', itemPath(), undefined, preflight),
    ]) {
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  describe('with an allow-list', async () => {
    const open = await startHouse({ env: { CORS_ORIGINS: 'https://app.example, http://localhost:5173' } })

    it('answers an origin of the list, errors included, and lets it read our headers', async () => {
      for (const url of ['/api/v1/locations', '/api/v1/nothing', '/api/v1/locations?page=0']) {
        const { headers } = await open.owner.get(url, { origin: 'http://localhost:5173' })
        expect(headers['access-control-allow-origin']).toBe('http://localhost:5173')
        expect(headers['access-control-expose-headers']).toContain('X-Request-Id')
        expect(headers.vary).toMatch(/origin/i)
        expect(headers['access-control-allow-credentials']).toBeUndefined()
      }
    })

    it('answers the preflight without a credential', async () => {
      const answer = await open.anonymous.request('OPTIONS', `/api/v1/locations/${unknown}`, undefined, preflight)
      expect(answer.status).toBe(200)
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, PATCH',
        'access-control-allow-headers':
          'Authorization, Content-Type, Data-Version, Idempotency-Key, If-Match, If-None-Match',
      })
    })

    it.each([
      'https://evil.example',
      'https://app.example.evil.example',
      'http://app.example',
      'null',
      'https://app.example:444',
    ])('says nothing to %s', async (other) => {
      for (const answer of [
        await open.owner.get('/api/v1/locations', { origin: other }),
        await open.anonymous.request('OPTIONS', '/api/v1/locations', undefined, { ...preflight, origin: other }),
      ]) {
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
        expect(answer.headers.vary).toMatch(/origin/i)
      }
    })
  })
})

describe('resources', () => {
  it('are those that the house was given: what lists another does not start', async () => {
    const { engine: own, drop } = await openEngine()
    const building = buildApp({
      config: readConfig({}),
      engine: own,
      clock: new TestClock('2027-01-01T00:00:00Z'),
      logger: pino({ level: 'silent' }),
      resources: allResources.filter(({ noun }) => noun !== 'keys'),
    })
    await expect(building).rejects.toThrow('/api/v1/keys lists keys, which are not among the resources')
    await own.close()
    await drop()
  })
})

describe('health', () => {
  it('/readyz is 503 in the error body while the database is away, and /livez still answers', async () => {
    const { engine: own, drop } = await openEngine()
    const separate = await buildApp({
      config: readConfig({}),
      engine: own,
      clock: new TestClock('2027-01-01T00:00:00Z'),
      logger: pino({ level: 'silent' }),
      resources: allResources,
    })
    expect((await separate.inject('/readyz')).json()).toEqual({ msg: 'Ready' })
    await own.close()
    const answer = await separate.inject('/readyz')
    expect([answer.statusCode, answer.json().error.code, answer.headers['retry-after']]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      '1',
    ])
    expect((await separate.inject('/livez')).json()).toEqual({ msg: 'Alive' })
    await separate.close()
    await drop()
  })
})

describe('query parameters of routes that are no lists', () => {
  it('are refused by name, never passed over', async () => {
    const location = await owner.create('/api/v1/locations', { name: 'Strict' })
    for (const [method, url] of [
      ['GET', `/api/v1/locations/${location.id}?select=name`],
      ['POST', '/api/v1/locations?dryrun=true'],
      ['DELETE', `/api/v1/locations/${location.id}?force=1`],
    ] as const) {
      const answer = await owner.request(method, url, method === 'POST' ? { name: 'Never' } : undefined)
      expect(answer.status, url).toBe(400)
      expect(answer.body.error.reason).toBe('param.unknown')
    }
    expect((await owner.get(`/api/v1/locations/${location.id}`)).status).toBe(200)
    expect((await house.anonymous.get(`/api/v1/locations/${location.id}?x=1`)).status).toBe(401)
  })
})

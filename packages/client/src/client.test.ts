import { describe, expect, expectTypeOf, it } from 'vitest'
import { startHouse } from '../../../test/support/app.ts'
import { Gatehouse } from './client.ts'
import {
  ChangedError,
  ConflictError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  UnauthorizedError,
  UnreachableError,
} from './errors.ts'
import type { Individual, Location } from './generated/schemas.ts'

const house = await startHouse()
const server = await house.app.listen({ port: 0, host: '127.0.0.1' })
const at = (token: string, more: object = {}) => new Gatehouse({ server, token, sleep: async () => undefined, ...more })
const gatehouse = at(house.owner.token)

/** Carries every request out and loses the first answers. */
const losing = (count: number) => {
  const sent: Array<{ method: string | undefined; key: string | null }> = []
  const fetchLosing: typeof fetch = async (input, init) => {
    sent.push({ method: init?.method, key: new Headers(init?.headers).get('idempotency-key') })
    const answer = await fetch(input, init)
    if (sent.length > count) return answer
    await answer.arrayBuffer()
    throw new TypeError('the connection broke')
  }
  return { sent, client: at(house.owner.token, { fetch: fetchLosing }) }
}

describe('an operation', () => {
  it('is typed by its path, and answers with what the service says', async () => {
    const made = await gatehouse.post('/api/v1/locations', { body: { name: 'Zürich' } })
    expectTypeOf(made.data).toEqualTypeOf<Location>()
    expect(made).toMatchObject({
      status: 201,
      data: { name: 'Zürich' },
      location: `/api/v1/locations/${made.data.id}`,
      etag: '"1"',
    })
    const { id } = made.data
    const read = await gatehouse.get('/api/v1/locations/{id}', { path: { id } })
    expect(read.data).toEqual(made.data)
    const changed = await gatehouse.patch('/api/v1/locations/{id}', {
      path: { id },
      body: { slug: 'zh' },
      etag: made.etag,
    })
    expect(changed.data.slug).toBe('zh')
    const tried = await gatehouse.delete('/api/v1/locations/{id}', { path: { id }, query: { dry_run: true } })
    expect(tried.meta?.dry_run).toBe(true)
    expect((await gatehouse.delete('/api/v1/locations/{id}', { path: { id } })).msg).toBe('Deleted location')
  })

  it('refuses what the service does not have before it is sent', () => {
    // @ts-expect-error no such path
    const unknown = () => gatehouse.get('/api/v1/nothing')
    // @ts-expect-error the id is missing
    const unnamed = () => gatehouse.get('/api/v1/locations/{id}')
    // @ts-expect-error the name is missing
    const nameless = () => gatehouse.post('/api/v1/locations', { body: {} })
    const odd = () =>
      // @ts-expect-error it cannot be created as suspended
      gatehouse.post('/api/v1/individuals', { body: { given_name: 'A', family_name: 'B', status: 'suspended' } })
    expect([unknown, unnamed, nameless, odd]).toHaveLength(4)
  })
})

describe('an error', () => {
  it('is of the class that it is caught by', async () => {
    const path = { id: '01997d2a-4c00-7000-8000-000000000001' }
    await expect(gatehouse.get('/api/v1/locations/{id}', { path })).rejects.toBeInstanceOf(NotFoundError)
    const invalid = await gatehouse.post('/api/v1/locations', { body: { name: '' } }).catch((error: unknown) => error)
    expect(invalid).toBeInstanceOf(InvalidError)
    expect(invalid).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      details: [{ path: 'name' }],
      reqId: expect.stringMatching(/^req_\d+$/),
    })
    await expect(at('acs_pat_no').get('/api/v1/locations')).rejects.toBeInstanceOf(UnauthorizedError)
    const auditor = at((await house.member('Auditor')).token)
    await expect(auditor.post('/api/v1/locations', { body: { name: 'Bern' } })).rejects.toBeInstanceOf(ForbiddenError)
    const { data, etag } = await gatehouse.post('/api/v1/locations', { body: { name: 'Basel', external_id: 'bs' } })
    await expect(
      gatehouse.post('/api/v1/locations', { body: { name: 'Basel', external_id: 'bs' } }),
    ).rejects.toBeInstanceOf(ConflictError)
    await gatehouse.patch('/api/v1/locations/{id}', { path: data, body: { slug: 'bs' } })
    await expect(
      gatehouse.patch('/api/v1/locations/{id}', { path: data, body: { slug: 'b' }, etag }),
    ).rejects.toBeInstanceOf(ChangedError)
  })
})

describe('a request whose answer is lost', () => {
  it('is sent again with its key, and carried out once', async () => {
    const { client, sent } = losing(2)
    const { data } = await client.post('/api/v1/locations', { body: { name: 'Chur' } })
    expect(sent).toHaveLength(3)
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
    const { meta } = await gatehouse.get('/api/v1/locations', { query: { name: 'eq.Chur' } })
    expect(meta.pagination.total).toBe(1)
    expect((await client.get('/api/v1/locations/{id}', { path: data })).data.name).toBe('Chur')
  })

  it('is not sent again where twice is not the same as once', async () => {
    const { data, etag } = await gatehouse.post('/api/v1/locations', { body: { name: 'Davos' } })
    const patching = losing(9)
    await expect(
      patching.client.patch('/api/v1/locations/{id}', { path: data, body: { slug: 'd' }, etag }),
    ).rejects.toBeInstanceOf(UnreachableError)
    expect(patching.sent).toHaveLength(1)
    const deleting = losing(9)
    await expect(deleting.client.delete('/api/v1/locations/{id}', { path: data })).rejects.toBeInstanceOf(
      UnreachableError,
    )
    expect(deleting.sent).toHaveLength(1)
  })

  it('is given up in the end', async () => {
    const { client, sent } = losing(99)
    await expect(client.get('/api/v1/locations')).rejects.toBeInstanceOf(UnreachableError)
    expect(sent).toHaveLength(5)
  })

  it('ends at once with its signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(gatehouse.get('/api/v1/locations', { signal })).rejects.toThrow('enough')
  })
})

it('waits as long as the service asks for', async () => {
  const limited = await startHouse({ env: { RATE_LIMIT_PER_MINUTE: '2' } })
  const address = await limited.app.listen({ port: 0, host: '127.0.0.1' })
  const waits: number[] = []
  const sleep = async (ms: number) => {
    waits.push(ms)
    limited.clock.forward(ms)
  }
  const client = new Gatehouse({ server: address, token: limited.owner.token, sleep })
  for (let count = 0; count < 5; count++) await client.get('/api/v1/me')
  expect(waits.length).toBeGreaterThan(0)
  for (const ms of waits) expect(ms % 1000).toBe(0)
})

describe('a list', () => {
  const people = Array.from({ length: 23 }, (_, index) => ({
    given_name: 'Ada',
    family_name: `L${String(index).padStart(2, '0')}`,
  }))

  it('is gone through item by item, and taken up again elsewhere', async () => {
    for (const body of people) await gatehouse.post('/api/v1/individuals', { body })
    const query = { given_name: ['eq.Ada'], order: 'family_name.asc', limit: 10 }
    const seen: string[] = []
    for await (const person of gatehouse.each('/api/v1/individuals', { query })) {
      expectTypeOf(person).toEqualTypeOf<Individual>()
      seen.push(String(person.family_name))
    }
    expect(seen).toEqual(people.map(({ family_name }) => family_name))
    const sizes: number[] = []
    let next: string | undefined
    for await (const page of gatehouse.pages('/api/v1/individuals', { query })) {
      sizes.push(page.items.length)
      next = page.next
      break
    }
    expect(sizes).toEqual([10])
    for await (const page of at(house.owner.token).pages('/api/v1/individuals', { from: String(next) }))
      sizes.push(page.items.length)
    expect(sizes).toEqual([10, 10, 3])
  })

  it('loses nothing while others write, and the lists without a cursor go by pages', async () => {
    const left = new Set(people.map(({ family_name }) => family_name))
    const query = { given_name: 'eq.Ada', order: 'family_name.asc', limit: 5 }
    let isFirst = true
    for await (const page of gatehouse.pages('/api/v1/individuals', { query })) {
      for (const { family_name } of page.items) expect(left.delete(String(family_name))).toBe(true)
      // The first five go: by pages, five others would never be seen.
      if (isFirst) for (const { id } of page.items) await gatehouse.delete('/api/v1/individuals/{id}', { path: { id } })
      isFirst = false
    }
    expect(left.size).toBe(0)
    for await (const space of gatehouse.each('/api/v1/spaces')) expect(space).toHaveProperty('id')
    for await (const system of gatehouse.each('/v1/core/locking-system')) expect(system).toHaveProperty('id')
  })
})

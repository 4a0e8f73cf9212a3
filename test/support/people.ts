import { randomUUID } from 'node:crypto'
import { change } from '../../src/db/change.ts'
import { changeOrganization, organizationOf } from '../../src/identity/organization/queries.ts'
import { hashPassword } from '../../src/identity/passwords.ts'
import { openSession } from '../../src/identity/sessions/queries.ts'
import { type Answer, actor, type Client, type TestHouse } from './app.ts'

/** What a browser with a page of ours sends by itself. */
export const page = { 'sec-fetch-site': 'same-origin' }

export interface Person extends Client {
  id: string
  email: string
  password: string
  cookie: string
  /** A request from elsewhere than the page, cookie and all. */
  from(headers: Record<string, string>): Client
}

/** The cookie of an answer, as a browser sends it back. */
export function cookieOf({ headers }: Answer): string {
  const [cookie = ''] = String(headers['set-cookie'] ?? '').split(';')
  if (!/=.{43}$/.test(cookie)) throw new Error('no session cookie was set')
  return cookie
}

/** A client with these headers on every request. */
export function withHeaders(base: Client, always: Record<string, string>): Client {
  const request: Client['request'] = (method, url, body, headers = {}) =>
    base.request(method, url, body, { ...always, ...headers })
  return {
    token: '',
    request,
    get: (url, headers) => request('GET', url, undefined, headers),
    post: (url, body, headers) => request('POST', url, body, headers),
    patch: (url, body, headers) => request('PATCH', url, body, headers),
    delete: (url, headers) => request('DELETE', url, undefined, headers),
    create: async (url, body) => {
      const answer = await request('POST', url, body)
      if (answer.status !== 201) throw new Error(`POST ${url}: ${answer.status} ${answer.text}`)
      return answer.body.data
    },
  }
}

export const browser = (house: TestHouse, cookie: string): Client => withHeaders(house.anonymous, { cookie, ...page })

export const tokenIn = (link: string): string => link.slice(link.indexOf('#') + 1)

export const roleId = async (house: TestHouse, name: string): Promise<string> =>
  (await house.owner.get(`/api/v1/roles?name=eq.${encodeURIComponent(name)}`)).body.data[0].id

const password = 'a password for all of them'
/** Hashing is slow on purpose: once is enough. */
const passwordHash = hashPassword(password)

/** Somebody with a role of their own who is logged in; what accepting an invitation would leave. */
export async function newPerson(house: TestHouse, role?: string, place: object = {}): Promise<Person> {
  const email = `${randomUUID()}@example.org`
  const admin = house.loggedIn(house.owner.token)
  const { id } = await admin.create('/api/v1/users', { email, name: 'Ada Lovelace' })
  if (role)
    await admin.create('/api/v1/role-assignments', { role_id: await roleId(house, role), user_id: id, ...place })
  const hash = await passwordHash
  const { value } = await change(house.engine, 1, house.clock.now(), actor, async (tx) => {
    await tx.update('users', id, { status: 'active', password_hash: hash })
    return openSession(tx, id, { address: '192.0.2.1', userAgent: undefined })
  })
  const isLocal = house.app.house.config.baseUrl.includes('localhost')
  const cookie = `${isLocal ? '' : '__Host-'}gatehouse_session=${value}`
  const from = (headers: Record<string, string>) => withHeaders(house.anonymous, { cookie, ...headers })
  return { ...from(page), id, email, password, cookie, from }
}

/** What `organization suspend` does, and `organization resume`. */
export const setStatus = (house: TestHouse, status: 'active' | 'suspended'): Promise<unknown> =>
  change(house.engine, 1, house.clock.now(), actor, async (tx) =>
    changeOrganization(tx, await organizationOf(tx, 'all'), { status }),
  )

/** So many at once; how many had which status. Those that wait too long for the database (503) were let try nothing. */
export async function race(times: number, send: (index: number) => Promise<Answer>): Promise<Record<number, number>> {
  const answers = await Promise.all(Array.from({ length: times }, (_, index) => send(index)))
  const counts: Record<number, number> = {}
  for (const { status } of answers) if (status !== 503) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

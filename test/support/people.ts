import { randomUUID } from 'node:crypto'
import type { Answer, Client, TestHouse } from './app.ts'

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
  const request: Client['request'] = (method, url, body, headers = {}) => base.request(method, url, body, { ...always, ...headers })
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

/** Invited, given a role, accepted: somebody who is logged in. */
export async function newPerson(house: TestHouse, role?: string, place: object = {}): Promise<Person> {
  const email = `${randomUUID()}@example.org`
  const password = `password of ${email}`
  const { id, link } = await house.owner.create('/api/v1/users', { email, name: 'Ada Lovelace' })
  if (role) await house.owner.create('/api/v1/role-assignments', { role_id: await roleId(house, role), user_id: id, ...place })
  const accepted = await house.anonymous.post('/api/v1/invitations/accept', { token: tokenIn(link), password })
  const cookie = cookieOf(accepted)
  const from = (headers: Record<string, string>) => withHeaders(house.anonymous, { cookie, ...headers })
  return { ...from(page), id, email, password, cookie, from }
}

/** So many at once; how many had which status. */
export async function race(times: number, send: (index: number) => Promise<Answer>): Promise<Record<number, number>> {
  const answers = await Promise.all(Array.from({ length: times }, (_, index) => send(index)))
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

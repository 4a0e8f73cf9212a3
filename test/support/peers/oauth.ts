import * as client from 'openid-client'
import { startHouse, TestClock, type TestHouse } from '../app.ts'
import { freePort } from '../free-port.ts'
import { newPerson, type Person, page } from '../people.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
type Json = any

class MachineClock extends TestClock {
  override now(): string {
    return new Date().toISOString()
  }
}

/**
 * The whole product behind a real port, by the machine's clock, which is the one that the OAuth provider knows; `vi`
 * can move it.
 */
export async function startListening(
  env: Record<string, string> = {},
  more: { securityEventsMs?: number } = {},
): Promise<TestHouse & { url: string }> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const house = await startHouse({ env: { BASE_URL: url, ...env }, clock: new MachineClock(''), ...more })
  await house.app.listen({ port, host: '127.0.0.1' })
  return { ...house, url }
}

export interface Application {
  client_id: string
  client_secret: string | undefined
}

export const REDIRECT = 'https://badges.example/callback'

/** An application that somebody with every right has made. */
export async function newApplication(house: TestHouse, body: object = {}): Promise<Application> {
  const made = await house.loggedIn(house.owner.token).create('/api/v1/oauth-applications', {
    name: 'Badge printer',
    redirect_uris: [REDIRECT],
    permissions: ['spaces:read', 'locations:read', 'locations:write'],
    ...body,
  })
  return { client_id: made.id, client_secret: made.client_secret }
}

/** What a real client knows of the server, by its metadata. */
export function discover(url: string, { client_id, client_secret }: Application): Promise<client.Configuration> {
  const auth = client_secret === undefined ? client.None() : client.ClientSecretBasic(client_secret)
  return client.discovery(new URL(`${url}/oauth`), client_id, {}, auth, { execute: [client.allowInsecureRequests] })
}

/** A browser that keeps cookies and follows redirects until it leaves the service. */
export class Browser {
  readonly cookies = new Map<string, { value: string; path: string }>()
  readonly visited: string[] = []
  private readonly origin: string

  constructor(url: string, cookie?: string) {
    this.origin = url
    if (cookie) this.keep(`${cookie}; Path=/`)
  }

  private keep(header: string): void {
    const [pair = '', ...attributes] = header.split('; ')
    const [name = '', value = ''] = pair.split('=')
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/'
    const isOver = attributes.some((attribute) => /^(max-age=0|expires=Thu, 01 Jan 1970)/i.test(attribute))
    if (isOver || value === '') this.cookies.delete(`${name} ${path}`)
    else this.cookies.set(`${name} ${path}`, { value: `${name}=${value}`, path })
  }

  async request(address: string, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(address)
    const cookie = [...this.cookies.values()].filter(({ path }) => pathname.startsWith(path)).map(({ value }) => value)
    const answer = await fetch(address, {
      redirect: 'manual',
      ...init,
      headers: { cookie: cookie.join('; '), ...init.headers },
    })
    for (const header of answer.headers.getSetCookie()) this.keep(header)
    return answer
  }

  /** Gives the page it ends at, or the address outside the service that it was sent to. */
  async open(address: string): Promise<{ url: string; text?: string; status?: number }> {
    let url = address
    for (let hops = 0; hops < 10; hops++) {
      if (!url.startsWith(this.origin)) return { url }
      this.visited.push(new URL(url).pathname)
      const answer = await this.request(url)
      const location = answer.headers.get('location')
      if (location === null) return { url, text: await answer.text(), status: answer.status }
      url = new URL(location, url).href
    }
    throw new Error(`no end of redirects: ${url}`)
  }

  /** A form of a page. */
  async submit(address: string, form: Record<string, string>): Promise<{ url?: string; text: string; status: number }> {
    const answer = await this.request(address, { method: 'POST', body: new URLSearchParams(form), headers: page })
    const text = await answer.text()
    const url = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(text)?.[1]
    return { text, status: answer.status, ...(url ? { url: url.replaceAll('&amp;', '&') } : {}) }
  }
}

export interface Granted {
  config: client.Configuration
  tokens: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers
  person: Person
  browser: Browser
}

export interface Asked {
  config: client.Configuration
  verifier: string
  state: string
  /** Where the application sent the browser. */
  start: string
}

export async function ask(
  config: client.Configuration,
  scope: string,
  more: Record<string, string> = {},
): Promise<Asked> {
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const start = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...more,
  }).href
  return { config, verifier, state, start }
}

/** By the API, as the portal does. */
export async function consent(person: Person, address: string, body?: object): Promise<string> {
  const uid = new URL(address).pathname.replace('/consent/', '')
  const answer = await person.post(`/api/v1/oauth/interactions/${uid}/confirm`, body)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.data.next
}

/** Somebody logged in agrees; gives the address with the code that the application gets. */
export async function authorize(
  house: TestHouse & { url: string },
  person: Person,
  asked: Asked,
  browser = new Browser(house.url, person.cookie),
): Promise<string> {
  const { url } = await browser.open(asked.start)
  if (!url.startsWith(house.url)) return url
  return (await browser.open(await consent(person, url))).url
}

/** All of it: from nothing to tokens. */
export async function obtain(
  house: TestHouse & { url: string },
  application: Application,
  { role = 'Owner', scope = 'spaces:read locations:read' }: { role?: string; scope?: string } = {},
  person?: Person,
): Promise<Granted> {
  const somebody = person ?? (await newPerson(house, role))
  const config = await discover(house.url, application)
  const asked = await ask(config, scope)
  const browser = new Browser(house.url, somebody.cookie)
  const callback = await authorize(house, somebody, asked, browser)
  const tokens = await client.authorizationCodeGrant(config, new URL(callback), {
    pkceCodeVerifier: asked.verifier,
    expectedState: asked.state,
  })
  return { config, tokens, person: somebody, browser }
}

/** The API, called with an access token. */
export async function call(
  url: string,
  token: string,
  path = '/api/v1/me',
  init: RequestInit = {},
): Promise<{ status: number; body: Json; headers: Headers }> {
  const answer = await fetch(`${url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  })
  return { status: answer.status, body: await answer.json(), headers: answer.headers }
}

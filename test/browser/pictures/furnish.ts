import type { BrowserContext } from 'playwright-core'
import { call } from '../support/people.ts'
import type { DemoSite } from '../support/site.ts'
import type { Address } from './routes.ts'

const ISSUER = 'https://id.example.org'
const REDIRECT = 'https://visitors.example/callback'

/** With which the demo has what it needs for every page. */
export const furnishedEnv = { TRUSTED_ISSUERS: JSON.stringify([{ issuer: ISSUER, audience: 'gatehouse' }]) }

/**
 * Makes what the demo has none of, as whoever is logged in, and gives the addresses of pages that only a request or a
 * link leads to.
 */
export async function furnish(context: BrowserContext, site: DemoSite): Promise<Address[]> {
  const application = await call(context, site, '/api/v1/oauth-applications', {
    name: 'Visitors',
    description: 'Announces visitors at the reception',
    redirect_uris: [REDIRECT],
    permissions: ['individuals:read', 'individuals:write', 'access-grants:read'],
  })
  const [integration] = (await (await context.request.get('/api/v1/service-users?limit=1')).json()).data
  await call(context, site, '/api/v1/external-identities', {
    issuer: ISSUER,
    subject: 'robot',
    service_user_id: integration.id,
  })
  await happen(context, site)
  const asked = new URLSearchParams({
    client_id: String(application.id),
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: 'openid profile individuals:read individuals:write access-grants:read',
    state: 'some',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  const { pathname } = new URL((await context.request.get(`/oauth/auth?${asked}`)).url())
  if (!pathname.startsWith('/consent/'))
    throw new Error(`the application was sent to ${pathname} instead of the consent page`)
  await awaitFactor(context, site)
  return [
    { name: 'consent', path: pathname, who: 'somebody' },
    { name: 'second-factor', path: '/second-factor', who: 'somebody halfway' },
    ...(await linksByMail(context, site)),
  ]
}

/** A door that is forced, at a system that plays; a visit; a webhook. */
async function happen(context: BrowserContext, site: DemoSite): Promise<void> {
  const doors = await context.request.get('/api/v1/access-points?connectivity=eq.online&limit=1')
  const [door] = (await doors.json()).data
  await call(context, site, '/api/v1/access-events', { type: 'door.forced', access_point_id: door.id })
  const hosts = await context.request.get('/api/v1/individuals?status=eq.active&kind=eq.employee&limit=1')
  const [host] = (await hosts.json()).data
  const visitor = await call(context, site, '/api/v1/individuals', { display_name: 'Grace Hopper', kind: 'visitor' })
  const time = { valid_from: '2020-01-01T00:00:00Z', valid_until: '2099-01-01T00:00:00Z' }
  await call(context, site, '/api/v1/visits', {
    visitor_id: visitor.id,
    host_id: host.id,
    purpose: 'Maintenance',
    places: [{ access_point_id: door.id }],
    ...time,
  })
  await call(context, site, '/api/v1/webhooks', {
    url: 'https://tickets.example.org/hook',
    types: ['door.*', 'access.denied'],
  })
}

const PASSWORD = 'correct horse battery staple'

/** Somebody whose role demands a second factor, which she has not set up. */
export const halfway = { email: 'katherine@example.org', password: PASSWORD }

async function awaitFactor(context: BrowserContext, site: DemoSite): Promise<void> {
  const role = await call(context, site, '/api/v1/roles', {
    name: 'Vault',
    permissions: ['keys:read'],
    requires_second_factor: true,
  })
  const user = await call(context, site, '/api/v1/users', { name: 'Katherine Johnson', email: halfway.email })
  await call(context, site, '/api/v1/role-assignments', { role_id: role.id, user_id: user.id })
  await accept(site, user.link)
}

/** Not in the browser of whoever invites: it would be logged in as the other. */
async function accept(site: DemoSite, link: unknown): Promise<void> {
  const [, token = ''] = String(link).split('#')
  const accepted = await fetch(`${site.url}/api/v1/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, password: PASSWORD }),
  })
  if (!accepted.ok) throw new Error(await accepted.text())
}

/** Somebody who is invited, and somebody who has forgotten the password. */
async function linksByMail(context: BrowserContext, site: DemoSite): Promise<Address[]> {
  const invite = (name: string, email: string) => call(context, site, '/api/v1/users', { name, email })
  const invited = await invite('Grace Hopper', 'grace@example.org')
  const forgetful = await invite('Mary Jackson', 'mary@example.org')
  await accept(site, forgetful.link)
  const { link } = await call(context, site, `/api/v1/users/${forgetful.id}/reset-link`, {})
  const pathIn = (url: unknown) => new URL(String(url)).pathname + new URL(String(url)).hash
  return [
    { name: 'invitation', path: pathIn(invited.link), who: 'nobody' },
    { name: 'reset', path: pathIn(link), who: 'nobody' },
  ]
}

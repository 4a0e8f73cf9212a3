import type { BrowserContext } from 'playwright-core'
import { call } from '../support/people.ts'
import type { DemoSite } from '../support/site.ts'
import type { Address } from './routes.ts'

const ISSUER = 'https://id.example.org'
const REDIRECT = 'https://visitors.example/callback'

/** With which the demo has what it needs for every page. */
export const furnishedEnv = { TRUSTED_ISSUERS: JSON.stringify([{ issuer: ISSUER, audience: 'gatehouse' }]) }

/** Makes what the demo has none of, as whoever is logged in, and gives the address of a page that only a request leads to: consent. */
export async function furnish(context: BrowserContext, site: DemoSite): Promise<Address[]> {
  const application = await call(context, site, '/api/v1/oauth-applications', {
    name: 'Visitors',
    description: 'Announces visitors at the reception',
    redirect_uris: [REDIRECT],
    permissions: ['individuals:read', 'individuals:write', 'access-grants:read'],
  })
  const [integration] = (await (await context.request.get('/api/v1/service-users?limit=1')).json()).data
  await call(context, site, '/api/v1/external-identities', { issuer: ISSUER, subject: 'robot', service_user_id: integration.id })
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
  if (!pathname.startsWith('/consent/')) throw new Error(`the application was sent to ${pathname} instead of the consent page`)
  return [{ name: 'consent', path: pathname, who: 'somebody' }]
}

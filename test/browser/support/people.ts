import * as OTPAuth from 'otpauth'
import type { BrowserContext, Page } from 'playwright-core'
import { type Site, setupLink } from './site.ts'

/** Logs the browser in without the form: for tests of what comes after. */
export async function logIn(context: BrowserContext, site: Site, email: string, password: string): Promise<void> {
  await call(context, site, '/api/v1/login', { email, password })
}

export const ada = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery staple' }

/** Sets an empty service up without the form: Ada owns the organization Castle and is logged in. */
export async function setUp(context: BrowserContext, site: Site): Promise<void> {
  const [, token] = (await setupLink(site)).split('#')
  await call(context, site, '/api/v1/setup', { token, organization: 'Castle', time_zone: 'Europe/Zurich', ...ada })
}

/** Posts to the API as whoever is logged in, and gives what it answers with. */
export async function call(
  context: BrowserContext,
  site: Site,
  path: string,
  data: object = {},
): Promise<Record<string, unknown>> {
  const answer = await context.request.post(site.url + path, { headers: { origin: site.url }, data })
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
  return (await answer.json()).data
}

const STEP_MS = 30_000

/** What an authenticator app shows for the secret; each code works once, so a second one is of a later step. */
export const codeOf = (secret: string, stepsAhead = 0): string =>
  new OTPAuth.TOTP({ secret: OTPAuth.Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + stepsAhead * STEP_MS,
  })

/** A passkey reader in the machine of whoever uses the page: it agrees to everything, as somebody who touches it. */
export async function addAuthenticator(
  page: Page,
): Promise<{ credentials(): Promise<number>; remove(): Promise<void> }> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    remove: async () => {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    },
  }
}

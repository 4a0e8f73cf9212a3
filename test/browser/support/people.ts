import * as OTPAuth from 'otpauth'
import type { BrowserContext, Page } from 'playwright-core'
import type { Site } from './site.ts'

/** Logs the browser in without the form: for tests of what comes after. */
export async function logIn(context: BrowserContext, site: Site, email: string, password: string): Promise<void> {
  const answer = await context.request.post(`${site.url}/api/v1/login`, { headers: { origin: site.url }, data: { email, password } })
  if (!answer.ok()) throw new Error(`${email} cannot log in: ${answer.status()} ${await answer.text()}`)
}

/** What an authenticator app shows for the secret now. */
export const codeOf = (secret: string): string => new OTPAuth.TOTP({ secret: OTPAuth.Secret.fromBase32(secret) }).generate()

/** A passkey reader in the machine of whoever uses the page: it agrees to everything, as somebody who touches it. */
export async function addAuthenticator(page: Page): Promise<{ credentials(): Promise<number>; remove(): Promise<void> }> {
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

import { call } from '../api/client.ts'

/** Asks the person for a passkey; what comes back goes to the service. */
export async function askForPasskey(): Promise<unknown> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const { data } = await call<{ options: Parameters<typeof startAuthentication>[0]['optionsJSON'] }>(
    '/api/v1/login/passkey/options',
    {
      method: 'POST',
      withoutKey: true,
      mayBeLoggedOut: true,
    },
  )
  return startAuthentication({ optionsJSON: data.options })
}

/** Has the person's device make one. */
export async function makePasskey(): Promise<unknown> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const { data } = await call<{ options: Parameters<typeof startRegistration>[0]['optionsJSON'] }>(
    '/api/v1/me/passkeys/options',
    {
      method: 'POST',
      withoutKey: true,
    },
  )
  return startRegistration({ optionsJSON: data.options })
}

export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in globalThis

/** The person changed their mind, or the device has none that fits: nothing that an error note would explain. */
export const isDeclined = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')

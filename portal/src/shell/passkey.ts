import { call } from '../api/client.ts'

/** Asks the person for a passkey; what comes back goes to the service. */
export async function askForPasskey(): Promise<unknown> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const { data } = await call<{ options: Parameters<typeof startAuthentication>[0]['optionsJSON'] }>('/api/v1/login/passkey/options', {
    method: 'POST',
    withoutKey: true,
    mayBeLoggedOut: true,
  })
  return startAuthentication({ optionsJSON: data.options })
}

export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in globalThis

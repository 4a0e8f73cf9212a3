import { call } from './api/client.ts'
import type { Me } from './api/generated/types.ts'
import { loadPreferred } from './i18n/load.ts'

// What every page waits for is on its way before the rest of the portal has even run: nothing here imports a library.

export const words = loadPreferred()

const ask = async (signal?: AbortSignal): Promise<Me> =>
  (await call<Me>('/api/v1/me', { mayBeLoggedOut: true, ...(signal ? { signal } : {}) })).data

/** At these addresses nobody need be logged in. */
const isBeforeLogin = /^\/(login|setup|invitation|reset|consent)(\/|$)/.test(window.location.pathname)
let first = isBeforeLogin ? undefined : ask()
// Whoever takes it hears of its failure.
first?.catch(() => undefined)

/** Who is there. */
export function askWho(signal: AbortSignal): Promise<Me> {
  const asked = first ?? ask(signal)
  first = undefined
  return asked
}

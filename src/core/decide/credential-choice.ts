import type { CredentialFact, Facts, Question } from './facts.ts'
import { unusable } from './unusable.ts'

/**
 * The one held to the reader; or, asked by individual, the best of those that work: one that this door's system knows,
 * where a PIN is asked for one that is a PIN or else has one, then the oldest.
 */
export function credentialFor(
  { credentials, door }: Facts,
  { by }: Question,
  at: string,
  needsPin: boolean,
): CredentialFact | undefined {
  if (by === 'credential') return credentials[0]
  let best: CredentialFact | undefined
  let worth = 0
  for (const credential of credentials) {
    if (unusable(credential, at)) continue
    const isOfSystem =
      credential.access_control_system_id === null ||
      credential.access_control_system_id === door.access_control_system_id
    const pinWorth = credential.type === 'pin' ? 2 : credential.has_pin ? 1 : 0
    const its = 1 + (isOfSystem ? 4 : 0) + (needsPin ? pinWorth : 0)
    if (its > worth) [best, worth] = [credential, its]
  }
  return best
}

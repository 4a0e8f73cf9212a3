import type { CredentialFact, Facts, Question } from './facts.ts'
import { unusable } from './rules/credential-usable.ts'

/** The one held to the reader; or, asked by individual, the best of those that work: one that this door's system knows, then the oldest. */
export function credentialFor({ credentials, door }: Facts, { by }: Question, at: string): CredentialFact | undefined {
  if (by === 'credential') return credentials[0]
  let best: CredentialFact | undefined
  for (const credential of credentials) {
    if (unusable(credential, at)) continue
    const isOfSystem = credential.access_control_system_id === null || credential.access_control_system_id === door.access_control_system_id
    if (isOfSystem) return credential
    best ??= credential
  }
  return best
}

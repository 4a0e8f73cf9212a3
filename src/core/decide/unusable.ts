import type { CredentialFact } from './facts.ts'
import type { Reason } from './reasons.ts'

const reasonOf: Partial<Record<CredentialFact['status_reason'], Reason>> = {
  lost: 'credential_lost',
  stolen: 'credential_stolen',
  damaged: 'credential_terminated',
  returned: 'credential_terminated',
  revoked: 'credential_terminated',
  forgotten: 'credential_suspended',
  inactivity: 'credential_suspended',
  locked_out: 'credential_suspended',
  not_collected: 'credential_not_yet_active',
}

/**
 * Why a credential by itself does not work at this instant. What its holder's state makes of it is told of the holder.
 */
export function unusable(
  { status_reason, valid_from, valid_until, max_uses, use_count }: CredentialFact,
  at: string,
): Reason | undefined {
  const named = reasonOf[status_reason]
  if (named) return named
  if (valid_until !== null && valid_until <= at) return 'credential_expired'
  if (valid_from !== null && valid_from > at) return 'credential_not_yet_active'
  return max_uses !== null && use_count >= max_uses ? 'max_uses' : undefined
}

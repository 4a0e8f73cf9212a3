import type { Credential } from '../api/generated/types.ts'
import { useFormat } from '../i18n/format.ts'
import { useWords } from '../i18n/language.tsx'

/** Why a credential has the status it has, in the order in which the service decides. */
export function CredentialReason({ credential }: { credential: Credential }) {
  const t = useWords()
  const format = useFormat()
  const {
    status_type: status,
    status_reason: reason,
    valid_from: from,
    valid_until: until,
    max_uses: uses,
  } = credential
  const words = t.people.reasons
  const now = Date.now()
  if (reason !== 'none') return words[reason]
  if (status === 'expired') {
    if (until !== null && Date.parse(until) <= now) return words.over(format.moment(until))
    if (uses !== null && credential.use_count >= uses) return words.usedUp(format.number(uses))
    return words.holderOver
  }
  if (status === 'pending') {
    if (credential.individual_id === null) return words.nobody
    if (from !== null && Date.parse(from) > now) return words.starts(format.moment(from))
    return words.holderNotYet
  }
  if (status === 'suspended') return words.holderSuspended
  if (status === 'terminated') return words.holderGone
  return until === null ? words.usable : words.usableUntil(format.moment(until))
}

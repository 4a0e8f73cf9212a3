import type { IndividualStatus } from '../people/individual-states.ts'
import type { Window } from '../time/window.ts'

export const credentialReasons = [
  'none',
  'not_collected',
  'forgotten',
  'lost',
  'stolen',
  'damaged',
  'returned',
  'revoked',
  'inactivity',
  'locked_out',
] as const
export type CredentialReason = (typeof credentialReasons)[number]

export const credentialStatuses = ['pending', 'active', 'suspended', 'expired', 'terminated'] as const
export type CredentialStatus = (typeof credentialStatuses)[number]

/**
 * Reasons that end a credential; its number may then be given to another. The unique index in the schema names the
 * same.
 */
export const terminating = ['lost', 'stolen', 'damaged', 'returned', 'revoked'] as const satisfies CredentialReason[]
export const suspending = ['forgotten', 'inactivity', 'locked_out'] as const satisfies CredentialReason[]

export interface Holder extends Window {
  status: IndividualStatus
}

export interface CredentialFacts extends Window {
  status_reason: CredentialReason
  max_uses: number | null
  use_count: number
  holder: Holder | null
}

const isOneOf = <T extends string>(list: readonly T[], value: string): value is T => list.some((one) => one === value)

/**
 * What a credential is good for now. The first rule that applies decides; `credentialStatusSql` is the same in SQL, and
 * a test holds the two equal.
 */
export function credentialStatus(credential: CredentialFacts, now: string): CredentialStatus {
  const { status_reason, valid_from, valid_until, max_uses, use_count, holder } = credential
  if (isOneOf(terminating, status_reason)) return 'terminated'
  if (isOneOf(suspending, status_reason)) return 'suspended'
  if (valid_until !== null && valid_until <= now) return 'expired'
  if (max_uses !== null && use_count >= max_uses) return 'expired'
  if (status_reason === 'not_collected' || holder === null) return 'pending'
  if (valid_from !== null && valid_from > now) return 'pending'
  if (holder.status === 'invited' || (holder.valid_from !== null && holder.valid_from > now)) return 'pending'
  if (holder.status === 'suspended') return 'suspended'
  if (holder.status === 'offboarded' || holder.status === 'anonymised') return 'terminated'
  if (holder.valid_until !== null && holder.valid_until <= now) return 'expired'
  return 'active'
}

const quoted = (list: readonly string[]) => list.map((item) => `'${item}'`).join(', ')

/** `credentialStatus` for a row of credentials under the given alias. */
export const credentialStatusSql = (t: string): string => `case
  when ${t}.status_reason in (${quoted(terminating)}) then 'terminated'
  when ${t}.status_reason in (${quoted(suspending)}) then 'suspended'
  when ${t}.valid_until <= :now then 'expired'
  when ${t}.max_uses is not null and exists (
    select 1 from credential_uses uu where uu.org = :org and uu.id = ${t}.id and uu.is_used_up) then 'expired'
  when ${t}.status_reason = 'not_collected' or ${t}.individual_id is null or ${t}.valid_from > :now then 'pending'
  else (select case
    when i.status = 'invited' or i.valid_from > :now then 'pending'
    when i.status = 'suspended' then 'suspended'
    when i.status in ('offboarded', 'anonymised') then 'terminated'
    when i.valid_until <= :now then 'expired'
    else 'active' end
    from individuals i where i.org = :org and i.id = ${t}.individual_id) end`

/**
 * What was terminated is suspended until somebody has looked at it; it never works again by itself. That goes for every
 * terminating reason, or a lost one would come back by way of damaged.
 */
export const isRevivedTooFast = (from: CredentialReason, to: CredentialReason): boolean =>
  isOneOf(terminating, from) && !isOneOf(terminating, to) && !isOneOf(suspending, to)

/** Those that somebody may find again. */
export const isMissing = (reason: CredentialReason): boolean => reason === 'lost' || reason === 'stolen'

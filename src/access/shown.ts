import type { Decision } from '../core/decide/decide.ts'
import { explain, pathOf } from '../core/decide/explain.ts'
import { credentialName, type Language } from '../core/decide/language.ts'

const text = (instant: number | null): string | null => (instant === null ? null : new Date(instant).toISOString())

/** What would open it: the key, the credential, or nothing. */
export function meansOf({ key, credential, case: { facts } }: Decision) {
  if (key) return key.is_unseen ? unseen('key') : { type: 'key', id: key.id, name: `${key.code} · ${key.number}` }
  if (!credential || !facts.individual) return null
  if (credential.is_unseen) return unseen(credential.type)
  return { type: credential.type, id: credential.id, name: credentialName('en', credential) }
}

const unseen = (type: string) => ({ type, id: null, name: null })

function scheduleOf({ grant, case: here }: Decision) {
  const state = grant && here.stateOf(grant)
  if (!state || !grant?.schedule) return null
  const { id, name, time_zone } = grant.schedule
  return {
    schedule_id: id,
    name,
    time_zone: time_zone ?? here.zone,
    open: state.open,
    from: text(state.from),
    until: text(state.until),
    next: text(state.next),
    holiday: state.holiday,
  }
}

/** In a few words, for whoever reads no further. */
export const inShort = ({ decision, reason }: { decision: string; reason: string }): string =>
  decision === reason ? `Access ${decision}` : `Access ${decision}: ${reason}`

/** A decision as it is answered. */
export function shown(decision: Decision, language: Language) {
  const { case: here, isGranted, reason, obstacles, grant, credential } = decision
  return {
    decision: isGranted ? 'granted' : 'denied',
    reason,
    reasons: [...new Set(obstacles.map((obstacle) => obstacle.reason))],
    explanation: explain(decision, language),
    access_point_id: here.facts.door.id,
    individual_id: here.facts.individual?.id ?? null,
    credential_id: credential && !credential.is_unseen ? credential.id : null,
    means: meansOf(decision),
    grant_id: grant && !grant.is_assumed ? grant.id : null,
    path: pathOf(decision),
    schedule_state: scheduleOf(decision),
    conditions_missing: obstacles.flatMap(({ missing }) => missing ?? []),
    holds_until: decision.holdsUntil,
    next_allowed_at: decision.nextAllowedAt,
    evaluated_at: here.at,
  }
}

import type { AuditEntry } from '../../api/generated/types.ts'
import type { Messages } from '../../i18n/messages.ts'
import { inWords } from '../../typed.ts'

/** What the log calls otherwise than the portal does. */
const nouns: Record<string, string> = {
  organizations: 'organization',
  demo: 'organization',
  audit_log: 'audit-log',
  session: 'sessions',
}

export const namesOf = (noun: string, t: Messages): { one: string; many: string } | undefined =>
  inWords(t.resources, nouns[noun] ?? noun)

/**
 * "Service user created" instead of `service_user.created`; an action of which the portal knows nothing still reads as
 * words.
 */
export function sentenceOf({ action, resource, after, before }: AuditEntry, t: Messages): string {
  const whole = t.identity.auditActions[action]
  if (whole !== undefined) return whole
  const [noun = '', verb = ''] = action.split('.')
  const kind = resource === 'lockdowns' ? emergencyOf(after ?? before, t) : undefined
  if (kind !== undefined) return t.identity.auditSentence(kind, verbOf(verb === 'created' ? 'started' : verb, t))
  const name = (nouns[noun] === undefined ? namesOf(resource, t) : namesOf(noun, t))?.one
  return t.identity.auditSentence(name ?? capital(plain(noun)), verbOf(verb, t))
}

const verbOf = (verb: string, t: Messages): string => t.identity.auditVerbs[verb] ?? plain(verb)

/** An emergency is told by what it is: a drill is no lockdown. */
const emergencyOf = (item: AuditEntry['after'], t: Messages): string | undefined =>
  inWords(t.values.kind, String(item?.kind))

const plain = (code: string): string => code.replaceAll('_', ' ')
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

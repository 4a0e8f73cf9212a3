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
export function sentenceOf({ action, resource }: AuditEntry, t: Messages): string {
  const whole = t.identity.auditActions[action]
  if (whole !== undefined) return whole
  const [noun = '', verb = ''] = action.split('.')
  const name = (nouns[noun] === undefined ? namesOf(resource, t) : namesOf(noun, t))?.one
  return t.identity.auditSentence(name ?? capital(plain(noun)), t.identity.auditVerbs[verb] ?? plain(verb))
}

const plain = (code: string): string => code.replaceAll('_', ' ')
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

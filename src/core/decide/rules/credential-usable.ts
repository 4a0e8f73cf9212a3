import type { Case } from '../case.ts'
import type { CredentialFact } from '../facts.ts'
import { credentialName, type Language, timeAt, words } from '../language.ts'
import type { Reason } from '../reasons.ts'
import type { Rule } from '../rule.ts'
import { unusable } from '../unusable.ts'

const states: Record<Language, Record<string, string>> = {
  en: {
    lost: 'was reported lost',
    stolen: 'was reported stolen',
    damaged: 'is damaged and was withdrawn',
    returned: 'was returned',
    revoked: 'was revoked',
    forgotten: 'is suspended: it was forgotten or found again',
    inactivity: 'is suspended for not being used',
    locked_out: 'is locked out',
    not_collected: 'has not been collected yet',
  },
  de: {
    lost: 'ist verloren gemeldet',
    stolen: 'ist gestohlen gemeldet',
    damaged: 'ist beschädigt und zurückgezogen',
    returned: 'wurde zurückgegeben',
    revoked: 'wurde entzogen',
    forgotten: 'ist gesperrt: vergessen oder wiedergefunden',
    inactivity: 'ist gesperrt, weil nicht benutzt',
    locked_out: 'ist ausgesperrt',
    not_collected: 'ist noch nicht abgeholt',
  },
}

/** The credential's own state, window and uses. */
export const credentialUsable: Rule = (question) => {
  const { credential, at } = question
  const reason = credential && unusable(credential, at)
  if (!reason) return undefined
  return {
    reason,
    say: words(
      () => `${credentialName('en', credential)} ${stateInWords(question, credential, reason, 'en')}.`,
      () => `${credentialName('de', credential)} ${stateInWords(question, credential, reason, 'de')}.`,
    ),
  }
}

function stateInWords({ zone, instant }: Case, credential: CredentialFact, reason: Reason, language: Language): string {
  const { status_reason, valid_from, valid_until, max_uses, use_count } = credential
  const state = states[language][status_reason]
  if (state) return state
  const time = (moment: string | null) => timeAt(language, zone, moment ?? instant, instant)
  const isGerman = language === 'de'
  if (reason === 'credential_expired') return `${isGerman ? 'war gültig bis' : 'was valid until'} ${time(valid_until)}`
  if (reason === 'credential_not_yet_active') return `${isGerman ? 'gilt ab' : 'is valid from'} ${time(valid_from)}`
  return isGerman
    ? `ist verbraucht: ${use_count} von ${max_uses} Benutzungen`
    : `is used up: ${use_count} of ${max_uses} uses`
}

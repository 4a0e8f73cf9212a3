import { type Language, timeAt, words } from '../language.ts'
import type { Rule } from '../rule.ts'

const states: Record<Language, Record<string, string>> = {
  en: {
    invited: 'is invited and not active yet',
    suspended: 'is suspended',
    offboarded: 'has left',
    anonymised: 'was erased',
  },
  de: {
    invited: 'ist eingeladen und noch nicht aktiv',
    suspended: 'ist gesperrt',
    offboarded: 'ist ausgetreten',
    anonymised: 'wurde gelöscht',
  },
}

/** Whoever carries it must be active, and within their own time. */
export const individualValid: Rule = ({ facts: { individual }, at, zone, instant }) => {
  if (!individual) return undefined
  const { display_name, status, valid_from, valid_until } = individual
  if (status !== 'active')
    return {
      reason: 'individual_not_active',
      say: words(
        () => `${display_name} ${states.en[status]}.`,
        () => `${display_name} ${states.de[status]}.`,
      ),
    }
  if (valid_from !== null && valid_from > at)
    return {
      reason: 'individual_not_yet_valid',
      say: words(
        () => `${display_name} may come from ${timeAt('en', zone, valid_from, instant)}.`,
        () => `${display_name} darf ab ${timeAt('de', zone, valid_from, instant)} kommen.`,
      ),
    }
  if (valid_until !== null && valid_until <= at)
    return {
      reason: 'individual_expired',
      say: words(
        () => `${display_name} was admitted until ${timeAt('en', zone, valid_until, instant)}.`,
        () => `${display_name} war bis ${timeAt('de', zone, valid_until, instant)} zugelassen.`,
      ),
    }
}

import type { Question } from '../facts.ts'
import { credentialName, type Language, words } from '../language.ts'
import type { Rule } from '../rule.ts'

/** Something must be held to the reader, it must be ours, and somebody must carry it. */
export const credentialKnown: Rule = ({ credential, facts: { individual, credentials }, question }) => {
  if (question.by === 'individual') {
    if (credential) return undefined
    const name = individual?.display_name
    if (credentials.length > 0)
      return {
        reason: 'no_credential',
        say: words(
          () => `None of what ${name} carries works here now.`,
          () => `Nichts von dem, was ${name} hat, gilt hier jetzt.`,
        ),
      }
    return {
      reason: 'no_credential',
      say: words(
        () =>
          `${name ?? 'Somebody who was not known here then'} carries nothing that a reader takes: no card, PIN ` +
          'or mobile key.',
        () =>
          `${name ?? 'Wer damals hier nicht bekannt war,'} hat nichts, was ein Leser annimmt: keine Karte, ` +
          'keine PIN, keinen mobilen Schlüssel.',
      ),
    }
  }
  if (!credential)
    return {
      reason: 'unknown_credential',
      say: words(
        () => `${readAs(question, 'en') ?? 'What was read'} is not known here.`,
        () => `${readAs(question, 'de') ?? 'Das Gelesene'} ist hier nicht bekannt.`,
      ),
    }
  if (individual) return undefined
  return {
    reason: 'credential_unassigned',
    say: words(
      () => `${credentialName('en', credential)} belongs to nobody.`,
      () => `${credentialName('de', credential)} gehört niemandem.`,
    ),
  }
}

/** The number as it was read; of what has none, such as a PIN, its kind. */
const readAs = ({ unknown }: Question, language: Language): string | undefined =>
  unknown && (unknown.number || credentialName(language, { ...unknown, number: null, label: null }))

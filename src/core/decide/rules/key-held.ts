import type { KeyFact } from '../facts.ts'
import { type Language, words } from '../language.ts'
import type { Rule } from '../rule.ts'

/**
 * A key asks nobody: neither schedules nor lockdowns nor suspensions stop it. Only somebody's hands hold it, not a
 * reader's card.
 */
export const keyHeld: Rule = ({ facts: { keys, individual, door }, question }) => {
  const [key] = keys
  if (!key || question.by !== 'individual') return undefined
  const name = individual?.display_name
  return {
    reason: 'granted',
    opens: true,
    say: words(
      () => `${name} holds ${keyIn('en', key, door.name)}: no schedule, lockdown or suspension stops a key.`,
      () =>
        `${name} hat ${keyIn('de', key, door.name)}: Kein Zeitplan, kein Alarmverschluss und keine Sperre hält ` +
        'einen Schlüssel auf.',
    ),
  }
}

function keyIn(language: Language, { is_unseen, code, number, cylinder }: KeyFact, door: string): string {
  if (is_unseen) return language === 'de' ? `einen Schlüssel, der ${door} schließt` : `a key that opens ${door}`
  return language === 'de'
    ? `den Schlüssel ${code} · ${number}, der Zylinder ${cylinder} in ${door} schließt`
    : `key ${code} · ${number}, which opens cylinder ${cylinder} in ${door}`
}

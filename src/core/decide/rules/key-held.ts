import { words } from '../language.ts'
import type { Rule } from '../rule.ts'

/** A key asks nobody: neither schedules nor lockdowns nor suspensions stop it. Only somebody's hands hold it, not a reader's card. */
export const keyHeld: Rule = ({ facts: { keys, individual, door }, question }) => {
  const [key] = keys
  if (!key || question.by !== 'individual') return undefined
  const name = individual?.display_name
  return {
    reason: 'granted',
    opens: true,
    say: words(
      () =>
        `${name} holds key ${key.code} · ${key.number}, which opens cylinder ${key.cylinder} in ${door.name}: no schedule, lockdown or suspension stops a key.`,
      () =>
        `${name} hat den Schlüssel ${key.code} · ${key.number}, der Zylinder ${key.cylinder} in ${door.name} schliesst: Kein Zeitplan, kein Alarmverschluss und keine Sperre hält einen Schlüssel auf.`,
    ),
  }
}

import { words } from '../language.ts'
import type { Rule } from '../rule.ts'

/**
 * A PIN that was typed must be right; one that the grant asks for, now or at its hour, must be typed. A credential that
 * is a PIN has proved it.
 */
export const pin: Rule = ({ credential, rights, question }) => {
  if (question.pin === 'wrong')
    return {
      reason: 'incorrect_pin',
      say: words(
        () => 'The PIN is not the right one.',
        () => 'Die PIN stimmt nicht.',
      ),
    }
  if (!(rights.allow ?? rights.waiting)?.requires_pin || question.pin === 'right' || credential?.type === 'pin')
    return undefined
  return {
    reason: 'pin_required',
    missing: 'pin',
    say: words(
      () =>
        credential && !credential.has_pin
          ? 'A PIN is asked for here, and this credential has none.'
          : 'A PIN is asked for here as well.',
      () =>
        credential && !credential.has_pin
          ? 'Hier wird eine PIN verlangt, und dieser Ausweis hat keine.'
          : 'Hier wird zusätzlich eine PIN verlangt.',
    ),
  }
}

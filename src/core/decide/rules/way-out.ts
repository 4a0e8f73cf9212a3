import { words } from '../language.ts'
import type { Rule } from '../rule.ts'

/** The way out through an emergency exit is never denied, whatever stands in the way. */
export const wayOut: Rule = ({ facts: { door }, question: { direction } }) =>
  door.emergency_exit && direction === 'out'
    ? {
        reason: 'granted',
        opens: true,
        say: words(
          () => `${door.name} is an emergency exit: the way out is never denied.`,
          () => `${door.name} ist ein Notausgang: Der Weg hinaus wird nie verwehrt.`,
        ),
      }
    : undefined

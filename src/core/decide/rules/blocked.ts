import { words } from '../language.ts'
import type { Rule } from '../rule.ts'

/** An operator has blocked the door: it stays shut for everybody, whatever they may otherwise. */
export const blocked: Rule = ({ override, facts: { door } }) =>
  override === 'blocked'
    ? {
        reason: 'point_blocked',
        say: words(
          () => `${door.name} is blocked.`,
          () => `${door.name} ist gesperrt.`,
        ),
      }
    : undefined

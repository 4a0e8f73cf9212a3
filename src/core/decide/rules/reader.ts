import { words } from '../language.ts'
import type { Rule } from '../rule.ts'

/** Without a reader on this side there is nothing to hold a credential to: such a door is opened by keys alone. */
export const reader: Rule = ({ facts: { door }, question: { direction } }) => {
  if (door.access_control_system_id === null)
    return {
      reason: 'no_reader',
      say: words(
        () => `No access control system drives ${door.name}: it is opened by keys alone.`,
        () => `Kein Zutrittssystem steuert ${door.name}: Die Tür wird nur mit Schlüsseln geöffnet.`,
      ),
    }
  if (door.direction !== 'both' && door.direction !== direction)
    return {
      reason: 'no_reader',
      say: words(
        () => `${door.name} has no reader for going ${direction}.`,
        () => `${door.name} hat keinen Leser für ${direction === 'in' ? 'den Eintritt' : 'den Austritt'}.`,
      ),
    }
}

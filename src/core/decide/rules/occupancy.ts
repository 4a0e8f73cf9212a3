import { words } from '../language.ts'
import type { Rule } from '../rule.ts'

/** A full space takes nobody else; who is inside already is one of those counted. */
export const occupancy: Rule = ({ facts: { door, presence }, question: { direction } }) => {
  const { occupancy_limit: limit, name, id } = door.space
  if (limit === null || direction === 'out' || presence.space_id === id || presence.occupants < limit) return undefined
  return {
    reason: 'occupancy_limit',
    say: words(
      () => `${name} is full: ${presence.occupants} of at most ${limit} are in it.`,
      () => `${name} ist voll: ${presence.occupants} von höchstens ${limit} sind darin.`,
    ),
  }
}

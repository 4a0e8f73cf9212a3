import { words } from '../language.ts'
import type { Rule } from '../rule.ts'

/** Two at once, each of whom may come in; a visitor's second must be somebody who is no visitor: an escort. */
export const secondPerson: Rule = ({ rights, at, facts: { individual, companions } }) => {
  if (!(rights.allow ?? rights.waiting)?.requires_second_person || !individual) return undefined
  const others = companions.filter((one) => one.id !== individual.id && one.mayOpen(at))
  if (individual.kind !== 'visitor') {
    if (others.length > 0) return undefined
    return {
      reason: 'second_person_required',
      missing: 'second_person',
      say: words(
        () => 'A second person who may come in must be there too.',
        () => 'Eine zweite Person mit Zutritt muss dabei sein.',
      ),
    }
  }
  if (others.some((one) => one.kind !== 'visitor')) return undefined
  return {
    reason: 'no_escort',
    missing: 'escort',
    say: words(
      () => `${individual.display_name} is a visitor and needs an escort who may come in.`,
      () => `${individual.display_name} ist zu Besuch und braucht eine Begleitung mit Zutritt.`,
    ),
  }
}

import { subjectOf } from '../grant-words.ts'
import { words } from '../language.ts'
import type { Rule } from '../rule.ts'

/** A deny in force wins over every allow. */
export const denied: Rule = (question) => {
  const { deny } = question.rights
  if (!deny) return undefined
  return {
    reason: 'denied_by_rule',
    say: words(
      () => `${subjectOf(question, deny)} is kept out of ${deny.target.name}, and that wins.`,
      () => `${subjectOf(question, deny)} ist von ${deny.target.name} ausgeschlossen, und das geht vor.`,
    ),
  }
}

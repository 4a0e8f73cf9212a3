import { holidayName } from '../grant-words.ts'
import { cityOf, timeAt, words } from '../language.ts'
import type { Rule } from '../rule.ts'

/** Somebody must have given access here, and for this hour. */
export const allowed: Rule = (question) => {
  const { rights, facts, zone, instant } = question
  if (rights.allow || !facts.individual) return undefined
  const { waiting } = rights
  const name = facts.individual.display_name
  if (!waiting)
    return {
      reason: 'no_access_rights',
      say: words(
        () =>
          `Nothing lets ${name} through ${facts.door.name}: no grant in force here is for them or a group of theirs.`,
        () =>
          `Nichts lässt ${name} durch ${facts.door.name}: Keine Berechtigung, die hier gilt, ist für diese ` +
          'Person oder eine ihrer Gruppen.',
      ),
    }
  const state = question.stateOf(waiting)
  const local = waiting.schedule?.time_zone ?? zone
  const holiday = state?.holiday ?? null
  return {
    reason: 'out_of_time_range',
    say: words(
      (next) =>
        `It is ${timeAt('en', local, instant, instant)} in ${cityOf(local)}${
          holiday ? `, a holiday (${holidayName(waiting, holiday)})` : ''
        }, so ${next === null ? 'not at this time' : `not yet; allowed from ${timeAt('en', local, next, instant)}`}.`,
      (next) =>
        `Es ist ${timeAt('de', local, instant, instant)} in ${cityOf(local)}${
          holiday ? `, ein Feiertag (${holidayName(waiting, holiday)})` : ''
        }, also ${
          next === null ? 'nicht zu dieser Zeit' : `noch nicht; erlaubt ab ${timeAt('de', local, next, instant)}`
        }.`,
    ),
  }
}

import { scheduleState } from '../../time/schedule.ts'
import type { Case } from '../case.ts'
import { type Language, timeAt, words } from '../language.ts'
import type { Rule } from '../rule.ts'

/** A door that stands unlocked asks nobody for anything. */
export const doorUnlocked: Rule = (question) =>
  question.mode === 'unlocked'
    ? {
        reason: 'door_unlocked',
        opens: true,
        say: words(
          () => `The door stands unlocked${until(question, 'en')}: nobody needs a credential.`,
          () => `Die Tür ist${until(question, 'de')} entriegelt: Niemand braucht einen Ausweis.`,
        ),
      }
    : undefined

function until({ override, facts: { door }, zone, instant }: Case, language: Language): string {
  const schedule = override === null ? door.unlock_schedule : null
  const timed = override === null || door.override_until === null ? null : Date.parse(door.override_until)
  const end = schedule ? scheduleState(schedule, schedule.time_zone ?? zone, instant).until : timed
  if (end === null) return ''
  return language === 'de' ? ` bis ${timeAt('de', zone, end, instant)}` : ` until ${timeAt('en', zone, end, instant)}`
}

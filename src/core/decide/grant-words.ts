import { scheduleState } from '../time/schedule.ts'
import { DAY_MS } from '../time/zone.ts'
import type { Case } from './case.ts'
import type { GrantFact } from './facts.ts'
import { cityOf, type Language, timeAt } from './language.ts'

export const subjectOf = ({ facts }: Case, grant: GrantFact): string =>
  grant.group?.name ?? facts.individual?.display_name ?? ''

export const holidayName = (grant: GrantFact, date: string): string => grant.schedule?.holiday_names?.get(date) ?? date

/** "Night shift may enter Building A from 22:00 to 06:00." */
export function grantSentence(question: Case, grant: GrantFact, language: Language): string {
  const subject = subjectOf(question, grant)
  const where = grant.target.name
  const when = timesOf(question, grant, language)
  if (language === 'de')
    return `${subject} darf ${when} ${grant.target.kind === 'access_point' ? `${where} öffnen` : `in ${where}`}.`
  return `${subject} may ${grant.target.kind === 'access_point' ? 'open' : 'enter'} ${where} ${when}.`
}

/** The hours of the day that counts: those of now, or the next to come. */
function timesOf({ zone, instant }: Case, { schedule }: GrantFact, language: Language): string {
  const always = language === 'de' ? 'jederzeit' : 'at any time'
  if (!schedule) return always
  const local = schedule.time_zone ?? zone
  const now = scheduleState(schedule, local, instant)
  const next = now.open ? instant : now.next
  if (next === null)
    return language === 'de' ? `nach «${schedule.name}», das nie öffnet,` : `by ${schedule.name}, which never opens`
  const span = now.open ? now : scheduleState(schedule, local, next)
  if (span.from === null || span.until === null) return always
  // A night is told by its hours alone; a day goes with what is yet to come on another one, or lasts longer.
  const isShort = span.until - span.from <= DAY_MS
  const from = timeAt(language, local, span.from, now.open && isShort ? span.from : instant)
  const to = timeAt(language, local, span.until, isShort ? span.until : span.from)
  const city = local === zone ? '' : inCity(local, language)
  return language === 'de' ? `von ${from} bis ${to}${city}` : `from ${from} to ${to}${city}`
}

const inCity = (zone: string, language: Language): string =>
  language === 'de' ? ` (${cityOf(zone)})` : ` in ${cityOf(zone)}`

/** Whose clock a time is told by, where the grant's hours are those of another place than the door's. */
export const cityBeside = ({ zone }: Case, grant: GrantFact | undefined, language: Language): string =>
  (grant?.schedule?.time_zone ?? zone) === zone ? '' : inCity(zone, language)

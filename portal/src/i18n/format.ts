import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { meOptions } from '../api/queries.ts'
import { useLanguage } from './language.tsx'

export interface Format {
  timeZone: string
  /** 4 May 2026 */
  date(date: string): string
  /** 4 May 2026, 10:30 */
  moment(instant: string): string
  /** in 3 days, 2 hours ago; further away: the date */
  relative(instant: string): string
  number(value: number): string
}

const STEPS: ReadonlyArray<[Intl.RelativeTimeFormatUnit, number]> = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]
const RELATIVE_DAYS = 7

/** In the person's language and the organization's time zone. */
export function useFormat(): Format {
  const { language } = useLanguage()
  const me = useQuery({ ...meOptions, enabled: false }).data
  const timeZone = me?.organization.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return useMemo(() => makeFormat(language, timeZone), [language, timeZone])
}

function makeFormat(language: string, timeZone: string): Format {
  // English as the world writes it, not as one country does.
  const locale = language === 'en' ? 'en-GB' : language
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const number = new Intl.NumberFormat(locale)
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  return {
    timeZone,
    date: (text) => date.format(new Date(`${text.slice(0, 10)}T00:00:00Z`)),
    moment: (text) => moment.format(new Date(text)),
    number: (value) => number.format(value),
    relative(text) {
      const seconds = (Date.parse(text) - Date.now()) / 1000
      if (Math.abs(seconds) > RELATIVE_DAYS * 86_400) return moment.format(new Date(text))
      const [unit, size] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? ['minute', 60]
      return relative.format(Math.trunc(seconds / size), unit)
    },
  }
}

/** The wall clock of a time zone at an instant: `2026-05-04 10:30:00`. */
export function wallClock(instant: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return parts.format(new Date(instant))
}

/** The instant at which a time zone's wall clock shows this; inside a skipped hour the moment after it. */
export function instantOf(wall: string, timeZone: string): string {
  const asUtc = Date.parse(`${wall.replace(' ', 'T')}Z`)
  const offsetAt = (time: number) => Date.parse(`${wallClock(new Date(time).toISOString(), timeZone).replace(' ', 'T')}Z`) - time
  const guess = asUtc - offsetAt(asUtc)
  return new Date(asUtc - offsetAt(guess)).toISOString()
}

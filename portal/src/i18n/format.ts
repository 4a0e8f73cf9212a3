import { createContext, use, useMemo } from 'react'
import { durationIn } from './duration.ts'
import { useLanguage } from './language.tsx'
import { todayIn } from './time-zone.ts'

export interface Format {
  timeZone: string
  /** The day it is where the organization is, or so many days after: 2026-05-04 */
  today(days?: number): string
  /** 4 May 2026 */
  date(date: string): string
  /** 4 May 2026: the day of an instant, where the organization is */
  day(instant: string): string
  /** 4 May 2026, 10:30 */
  moment(instant: string): string
  /** 10:30:05 */
  time(instant: string): string
  /** in 3 days, 2 hours ago; further away: the date */
  relative(instant: string): string
  number(value: number): string
  /** 1 hour 30 minutes */
  duration(seconds: number): string
}

const STEPS: ReadonlyArray<[Intl.RelativeTimeFormatUnit, number]> = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]
const RELATIVE_DAYS = 7

/** The organization's time zone, once somebody is logged in; before that the browser's own. */
export const TimeZoneContext = createContext<string | undefined>(undefined)
const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

const made = new Map<string, Format>()

/** In the person's language and the organization's time zone. */
export function useFormat(): Format {
  const { language } = useLanguage()
  const timeZone = use(TimeZoneContext) ?? ownTimeZone()
  return useMemo(() => {
    const key = `${language} ${timeZone}`
    const format = made.get(key) ?? makeFormat(language, timeZone)
    made.set(key, format)
    return format
  }, [language, timeZone])
}

function makeFormat(language: string, timeZone: string): Format {
  // English as the world writes it, not as one country does.
  const locale = language === 'en' ? 'en-GB' : language
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone })
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', timeZone })
  const number = new Intl.NumberFormat(locale)
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  return {
    timeZone,
    today: (days = 0) => todayIn(timeZone, days),
    date: (text) => date.format(new Date(`${text.slice(0, 10)}T00:00:00Z`)),
    day: byMinute((text) => day.format(new Date(text))),
    moment: byMinute((text) => moment.format(new Date(text))),
    time: (text) => time.format(new Date(text)),
    number: (value) => number.format(value),
    duration: (seconds) => durationIn(locale, seconds),
    relative(text) {
      const seconds = (Date.parse(text) - Date.now()) / 1000
      if (Math.abs(seconds) > RELATIVE_DAYS * 86_400) return moment.format(new Date(text))
      const [unit, size] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? ['minute', 60]
      return relative.format(Math.trunc(seconds / size), unit)
    },
  }
}

const MOST = 1000

/** What is the same for a whole minute is worked out once for it: a list says it in each of its rows. */
function byMinute(say: (instant: string) => string): (instant: string) => string {
  const said = new Map<string, string>()
  return (instant) => {
    if (!instant.endsWith('Z')) return say(instant)
    const minute = instant.slice(0, 16)
    const known = said.get(minute) ?? say(instant)
    if (said.size >= MOST) said.clear()
    said.set(minute, known)
    return known
  }
}

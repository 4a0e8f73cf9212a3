import { type AppError, invalid } from '../../core/errors.ts'
import { type Field, isShown } from '../../core/fields.ts'
import { DAY_MS, firstInstantOf } from '../../core/time/zone.ts'

const YES = new Set(['true', 'yes', 'y', '1', 'x', 'ja', 'j', 'wahr'])
const NO = new Set(['false', 'no', 'n', '0', 'nein', 'falsch', '-'])

/** How people write a day: as in ISO, or day, month and year with dots. */
const DAY =
  /^(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})\.(\d{1,2})\.(\d{4}))(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,3})?)?)?$/

const unfit = (name: string, expected: string, text: string | undefined): AppError =>
  invalid(
    name,
    'import.cell',
    `${name} must be ${expected}${text === undefined ? '' : `; got ${JSON.stringify(text.slice(0, 60))}`}`,
  )

/** What a cell says of a field; undefined: nothing. Whether it fits is for the resource's own schema to say. */
export function valueIn(name: string, field: Field, cell: string, zone: string): unknown {
  const { spec } = field
  // Spaces at the ends are no part of what people mean, and seldom seen.
  const text = cell.trim()
  if (text === '') return spec.isNullable ? null : spec.fallback === '' ? '' : undefined
  switch (spec.type) {
    case 'integer':
    case 'number': {
      if (/^-?\d+([.,]\d+)?$/.test(text)) return Number(text.replace(',', '.'))
      throw unfit(name, 'a number', text)
    }
    case 'boolean': {
      const word = text.toLowerCase()
      if (YES.has(word)) return true
      if (NO.has(word)) return false
      throw unfit(name, 'yes or no', text)
    }
    case 'date':
      return dayIn(name, text)
    case 'timestamp':
      return instantIn(name, text, zone)
    case 'json':
      return jsonIn(name, field, text)
    default:
      return spec.values
        ? (spec.values.find((value) => value === text.toLowerCase().replace(/[\s-]+/g, '_')) ?? text)
        : text
  }
}

interface Moment {
  date: string
  ms: number
}

/** As if it were UTC; a day that is none is not taken for another. */
function momentIn(text: string): Moment | undefined {
  const [, y1, m1, d1, d2, m2, y2, hours = '0', minutes = '0', seconds = '0'] = DAY.exec(text) ?? []
  const [year, month, day] = [y1 ?? y2, m1 ?? m2, d1 ?? d2]
  if (!year || !month || !day) return undefined
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const midnight = Date.parse(`${date}T00:00:00.000Z`)
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return undefined
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  return ms < DAY_MS ? { date, ms: midnight + ms } : undefined
}

function dayIn(name: string, text: string): string {
  const moment = momentIn(text.replace(/T00:00:00(\.000)?Z$/, ''))
  if (!moment) throw unfit(name, 'a day such as 2027-03-31 or 31.3.2027', text)
  return moment.date
}

/** Until a day means until it is over. */
const isEnd = (name: string): boolean => name.endsWith('_until') || name === 'expires_at'

/** Without a zone it is meant in the organization's. */
function instantIn(name: string, text: string, zone: string): string {
  const moment = momentIn(text)
  const hasTime = text.includes(':')
  if (moment) return new Date(firstInstantOf(zone, moment.ms + (isEnd(name) && !hasTime ? DAY_MS : 0))).toISOString()
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return text
  throw unfit(name, 'a moment such as 2027-03-31T08:00:00Z, 2027-03-31 08:00 or 31.3.2027', text)
}

function jsonIn(name: string, field: Field, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Others see what is wrong with a file: it does not repeat what no answer shows.
    throw unfit(name, 'JSON, as exports write it', isShown(field) ? text : undefined)
  }
}

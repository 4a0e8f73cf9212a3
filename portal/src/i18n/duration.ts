const UNITS = { day: 86_400, hour: 3600, minute: 60, second: 1 }

/** As it is said: `1 hour 30 minutes`, never 5400 of something. */
export function durationIn(locale: string, seconds: number): string {
  let rest = Math.round(seconds)
  const parts: string[] = []
  for (const [unit, size] of Object.entries(UNITS)) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count === 0 && (size > 1 || parts.length > 0)) continue
    parts.push(new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count))
  }
  return parts.join(' ')
}

/** By how a unit begins, in English and German: `Std.` and `Stunden` are hours, any other `s` seconds. */
const WRITTEN: ReadonlyArray<readonly [RegExp, number]> = [
  [/^(h|st)/, 3600],
  [/^m(?!s)/, 60],
  [/^s/, 1],
  [/^[dt]/, 86_400],
]

/** What somebody has typed, in seconds: `5 s`, `2 min`, `1 h 30 min`; a bare number counts the unit given. */
export function durationTyped(text: string, unit: number): number | undefined {
  const typed = text.trim().toLowerCase()
  if (/^\d+$/.test(typed)) return Number(typed) * unit
  const parts = [...typed.matchAll(/(\d+)\s*(\p{L}+)\.?\s*/gu)]
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== typed) return undefined
  let seconds = 0
  for (const [, count, name = ''] of parts) {
    const size = WRITTEN.find(([begins]) => begins.test(name))?.[1]
    if (size === undefined) return undefined
    seconds += Number(count) * size
  }
  return seconds
}

/** How many seconds there are in what a field counts; 0: it is no duration. */
export const secondsIn = (field: string): number =>
  /(^|_)seconds$/.test(field) ? 1 : field.endsWith('_minutes') ? 60 : 0

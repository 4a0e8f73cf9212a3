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

/** How many seconds there are in what a field counts; 0: it is no duration. */
export const secondsIn = (field: string): number => (/(^|_)seconds$/.test(field) ? 1 : field.endsWith('_minutes') ? 60 : 0)

/** What is shown with its unit is not called after one: `Unlock time (seconds)` is for whoever types it. */
export const shownLabel = (field: string, label: string): string => (secondsIn(field) ? label.replace(/ \(.*\)$/, '') : label)

const two = (value: number | string): string => String(value).padStart(2, '0')

/** Whether there is such a day: not the 31st of April. */
function isDay(iso: string): boolean {
  const time = Date.parse(`${iso}T00:00:00Z`)
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(iso)
}

/**
 * The day that somebody means by `4.5.2026`, `4/5/26`, `04052026`, `4.5.` or `2026-05-04`; undefined: none. Days come
 * before months.
 */
export function dayTyped(text: string, today: string): string | undefined {
  const typed = text.trim()
  if (/^\d{4}-\d\d-\d\d$/.test(typed)) return isDay(typed) ? typed : undefined
  const digits = /^(\d\d)(\d\d)(\d{4})$/.exec(typed)
  const parts = digits?.slice(1) ?? typed.split(/[./\s-]+/).filter(Boolean)
  if (parts.length < 2 || parts.length > 3 || !parts.every((part) => /^\d{1,4}$/.test(part))) return undefined
  const [day = '', month = '', year = today.slice(0, 4)] = parts
  const iso = `${year.length === 2 ? `20${year}` : year}-${two(month)}-${two(day)}`
  return isDay(iso) ? iso : undefined
}

/** As the reader writes a day: 04/05/2026, 04.05.2026. */
export function dayWritten(iso: string, language: string): string {
  if (!isDay(iso)) return iso
  const [year, month, day] = iso.split('-')
  return language === 'de' ? `${day}.${month}.${year}` : `${day}/${month}/${year}`
}

/** The time that somebody means by `8`, `8:30`, `0830` or `24`; undefined: none. A day may end at 24:00. */
export function timeTyped(text: string): string | undefined {
  const parts = /^(\d{1,2})(?:[:.h]?(\d\d))?$/.exec(text.trim())
  if (!parts) return undefined
  const [, hours = '', minutes = '00'] = parts
  const isTime = Number(hours) < 24 && Number(minutes) < 60
  return isTime || (hours === '24' && minutes === '00') ? `${two(hours)}:${minutes}` : undefined
}

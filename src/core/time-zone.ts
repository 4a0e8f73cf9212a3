import { invalid } from './errors.ts'

/** Refuses what is no IANA time zone of this runtime. */
export function checkTimeZone(path: string, zone: string | null): void {
  if (zone === null) return
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
  } catch {
    throw invalid(path, 'body.format', `${path}: "${zone}" is not an IANA time zone such as Europe/Zurich`)
  }
}

import { invalid } from './errors.ts'

/** Refuses what is no IANA time zone of this runtime. */
export function checkTimeZone(path: string, zone: string | null): void {
  if (zone === null || isTimeZone(zone)) return
  throw invalid(path, 'body.format', `${path}: "${zone}" is not an IANA time zone such as Europe/Zurich`)
}

export function isTimeZone(zone: string): boolean {
  // The runtime takes offsets such as +02:00 too; those are no zones and know no summer time.
  if (!/^[a-z]/i.test(zone)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

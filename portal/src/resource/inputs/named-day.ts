import { isRecord } from '../../typed.ts'

/** A day of a calendar and what it is called. */
export interface NamedDay {
  date: string
  name: string
}

/** What a form, or the log, holds of days. */
export const areNamed = (value: unknown): value is NamedDay[] =>
  Array.isArray(value) && value.every((one) => isRecord(one) && typeof one.date === 'string')

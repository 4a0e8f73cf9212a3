import type { ErrorDetail } from '../../core/errors.ts'
import { unfit } from '../../http/answers/errors.ts'
import { redactTokens } from '../../http/logger.ts'
import { validatorOf } from '../../http/validation.ts'
import { AccessEventCreate, ReportedAccessEvent } from './schema.ts'

const fits = validatorOf(AccessEventCreate, 'An event')
const readable = ReportedAccessEvent.properties ?? {}

/** The first thing that is wrong with one event of many, in the words that it would be refused with by itself. */
export function findFault(event: unknown): ErrorDetail | undefined {
  if (fits(event)) return undefined
  const { message, details: [fault] = [] } = unfit(fits.errors ?? [], readable)
  // It repeats the piece that is wrong, which may be a token in the wrong place.
  return JSON.parse(redactTokens(JSON.stringify(fault ?? { path: '', rule: 'body.invalid', message })))
}

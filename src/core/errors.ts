/**
 * Every error the API can answer with: its code and its HTTP status. The words for people are in
 * docs/error-catalogue.ts.
 */
export const errorStatus = {
  MALFORMED_REQUEST: 400,
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  INVALID_STATE: 409,
  RESOURCE_IN_USE: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  VERSION_CONFLICT: 412,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  SYSTEM_UNREACHABLE: 502,
  SERVICE_UNAVAILABLE: 503,
  SYSTEM_TIMEOUT: 504,
} as const

export type ErrorCode = keyof typeof errorStatus

export interface ErrorDetail {
  path: string
  rule: string
  message: string
  /** The item that stands in the way, and what it is called, where the caller sees it. */
  id?: string
  name?: string
}

interface ErrorOptions {
  /** Other than the code's usual one: UNAUTHORIZED is 401 or 403. */
  status?: number
  reason?: string
  details?: ErrorDetail[]
  headers?: Record<string, string>
  cause?: unknown
}

/** `message` is for the caller; `cause` is for the log alone. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly reason: string | undefined
  readonly details: ErrorDetail[] | undefined
  readonly headers: Record<string, string> | undefined

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.status = options.status ?? errorStatus[code]
    this.reason = options.reason
    this.details = options.details
    this.headers = options.headers
  }
}

export const notFound = () => new AppError('NOT_FOUND', 'There is no such item, or it is outside what you may see')

/** Why nothing could be done just now, as `reason`; each is explained in the catalogue. */
type Unavailability =
  | 'database_away'
  | 'storage_damaged'
  | 'storage_full'
  | 'storage_gone'
  | 'storage_not_writable'
  | 'too_slow'
  | 'locked'
  | 'too_many_events'
  | 'too_many_logins'
  | 'too_many_readers'
  | 'too_many_writers'
  | 'unconfirmed'

export const unavailable = (reason: Unavailability, message: string, cause?: unknown) =>
  new AppError('SERVICE_UNAVAILABLE', message, { reason, headers: { 'retry-after': '1' }, cause })

/** Nobody will read it: it ends what was under way. */
export const callerLeft = () => new AppError('MALFORMED_REQUEST', 'Whoever asked has gone')

export const databaseAway = (cause: unknown) =>
  unavailable('database_away', 'The database is not available right now; try again shortly', cause)

export const tooSlow = (cause?: unknown) =>
  unavailable(
    'too_slow',
    'This took too long and was given up; nothing was changed. Ask for less at once, or try again shortly',
    cause,
  )

export const tooManyReaders = () =>
  unavailable(
    'too_many_readers',
    'Too many searches and counts are under way; try again shortly, and ask for one after the other',
  )

export const tooManyLogins = () =>
  unavailable('too_many_logins', 'Too many people log in at this moment; try again shortly')

/** One field or parameter that does not fit. `reason` is a stable slug. */
export const invalid = (path: string, reason: string, message: string) =>
  new AppError('VALIDATION_ERROR', message, { reason, details: [{ path, rule: reason, message }] })

/** The same error of a piece of what was sent, saying of which: `operations[3]`. */
export function within(where: string, error: AppError): AppError {
  const { code, status, reason, headers } = error
  const details = error.details ?? [{ path: '', rule: reason ?? code.toLowerCase(), message: error.message }]
  return new AppError(code, `${where}: ${error.message}`, {
    status,
    ...(reason === undefined ? {} : { reason }),
    details: details.map((detail) => ({ ...detail, path: [where, detail.path].filter(Boolean).join('.') })),
    ...(headers ? { headers } : {}),
    cause: error,
  })
}

/** What went wrong, whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

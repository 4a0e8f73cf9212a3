import type { ErrorCode, ErrorDetail } from './generated/schemas.ts'

/** A newer service may have codes that this client does not know. */
type Code = ErrorCode | 'UNREACHABLE' | (string & Record<never, never>)

interface Known {
  status: number
  code: Code
  reason?: string | undefined
  details?: readonly ErrorDetail[] | undefined
  reqId?: string | undefined
  retryAfterSeconds?: number | undefined
  cause?: unknown
}

/** The service refused. `message` is its sentence for people; `code` and `reason` are for programs. */
export class GatehouseError extends Error {
  readonly status: number
  readonly code: Code
  readonly reason: string | undefined
  /** Each fault of what was sent, on its own. */
  readonly details: readonly ErrorDetail[]
  /** Names the request in the service's log. */
  readonly reqId: string | undefined
  /** How long to wait, where the service says so. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, known: Known) {
    super(message, known.cause === undefined ? {} : { cause: known.cause })
    this.name = new.target.name
    this.status = known.status
    this.code = known.code
    this.reason = known.reason
    this.details = known.details ?? []
    this.reqId = known.reqId
    this.retryAfterSeconds = known.retryAfterSeconds
  }
}

/** 400: a parameter or a field does not fit; `details` says which. */
export class InvalidError extends GatehouseError {}
/** 401: no credential, or one that does not hold any more. */
export class UnauthorizedError extends GatehouseError {}
/** 403: the credential is good and lacks the permission. */
export class ForbiddenError extends GatehouseError {}
/** 404: it is not there, or not for you. */
export class NotFoundError extends GatehouseError {}
/** 409: it collides with what is there. */
export class ConflictError extends GatehouseError {}
/** 412: it has changed since you read it. */
export class ChangedError extends GatehouseError {}
/** 429, after all tries. */
export class RateLimitedError extends GatehouseError {}
/** 5xx, after all tries. */
export class ServiceError extends GatehouseError {}
/** No answer came, after all tries. Whether a change was made is unknown, unless it was sent with a key. */
export class UnreachableError extends GatehouseError {
  constructor(cause?: unknown) {
    super('The service cannot be reached', { status: 0, code: 'UNREACHABLE', cause })
  }
}

const classes: Record<number, typeof GatehouseError> = {
  400: InvalidError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: ChangedError,
  429: RateLimitedError,
}

export interface ErrorBody {
  msg?: string
  error?: { code?: ErrorCode; reason?: string; req_id?: string; details?: ErrorDetail[] }
}

export function errorOf(response: Response, body: ErrorBody | undefined): GatehouseError {
  const Class = classes[response.status] ?? (response.status >= 500 ? ServiceError : GatehouseError)
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new Class(body?.msg ?? response.statusText, {
    status: response.status,
    code: body?.error?.code ?? 'INTERNAL',
    reason: body?.error?.reason,
    details: body?.error?.details,
    reqId: body?.error?.req_id ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfter > 0 ? retryAfter : undefined,
  })
}

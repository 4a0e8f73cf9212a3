import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { codeOf } from '../../core/error-code.ts'
import { AppError, type ErrorCode, type ErrorDetail } from '../../core/errors.ts'
import { redactTokens } from '../logger.ts'
import { MAX_DETAILS, type ValidationFault } from '../validation.ts'
import { pathOf } from '../validation-words.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Paths under which refusals have a body of their own, those of what no route took included. */
    errorsUnder: Map<string, (error: Error, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>>
  }
}

export interface ErrorBody {
  msg: string
  error: { code: ErrorCode; docs: string; req_id: string; reason?: string; details?: ErrorDetail[] }
}

export function errorBody(error: AppError, docsUrl: string, reqId: string): ErrorBody {
  return {
    msg: error.message,
    error: {
      code: error.code,
      docs: `${docsUrl}/docs/api/errors/${error.code}`,
      req_id: reqId,
      ...(error.reason === undefined ? {} : { reason: error.reason }),
      ...(error.details === undefined ? {} : { details: error.details.slice(0, MAX_DETAILS) }),
    },
  }
}

export function sendError(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  request.failure = error
  const { docsUrl, baseUrl } = request.server.house.config
  if (error.status === 401) {
    // RFC 9728: where a client that has no token finds out who issues them.
    const metadata = `${baseUrl}/.well-known/oauth-protected-resource/api`
    reply.header(
      'www-authenticate',
      `Token realm="Gatehouse", Bearer realm="Gatehouse", resource_metadata="${metadata}"`,
    )
  }
  // A file that failed before its first byte has said already what it would have been.
  reply.removeHeader('content-encoding').removeHeader('content-disposition')
  if (error.headers) reply.headers(error.headers)
  return (
    reply
      .code(error.status)
      // Set already, unless the router itself refused the address: then no hook has run.
      .header('x-request-id', request.id)
      .header('x-content-type-options', 'nosniff')
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-store')
      // It repeats the piece that is wrong, which may be a token in the wrong place.
      .send(redactTokens(JSON.stringify(errorBody(error, docsUrl, request.id))))
  )
}

/** Every failure leaves through here, in one body. What is not ours is INTERNAL: its text goes to the log alone. */
export function installErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | Error, request, reply) => {
    const own = ownErrorsOf(request)
    if (own) return own(error, request, reply)
    const known = unreadType(error, request) ?? toAppError(error, readableFields(request))
    if (known.status >= 500 && !isRefusal(known)) request.log.error({ err: error, code: known.code }, known.message)
    else request.log.debug({ err: error, code: known.code }, known.message)
    return sendError(request, reply, known)
  })
}

export function ownErrorsOf({ server, raw: { url = '' } }: FastifyRequest) {
  const [prefix] = server.errorsUnder
    .keys()
    .filter((start) => url.startsWith(start) && /^(?:[/?]|$)/.test(url.slice(start.length)))
  return prefix === undefined ? undefined : server.errorsUnder.get(prefix)
}

/**
 * We are busy, and nothing is broken: that is in the request's own line. Where many come at once, a stack for each
 * would cost more than they do.
 */
const isRefusal = ({ reason, cause }: AppError): boolean =>
  cause === undefined && reason?.startsWith('too_many_') === true

const fastifyCodes: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json'],
  FST_ERR_CTP_BODY_TOO_LARGE: [
    'PAYLOAD_TOO_LARGE',
    'The body is larger than this operation takes: 1 MiB, and 64 KiB where no credential is asked for',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'MALFORMED_REQUEST',
    'The body does not have the length that Content-Length announces',
  ],
  FST_ERR_BAD_URL: ['MALFORMED_REQUEST', 'The path is not properly encoded'],
  FST_ERR_MAX_PARAM_LENGTH: ['URI_TOO_LONG', 'A part of the path is longer than any identifier'],
}

/** Says what the route would have read: not every one takes JSON alone. */
function unreadType(error: FastifyError | Error, { routeOptions }: FastifyRequest): AppError | undefined {
  const body = routeOptions?.config?.doc?.body
  if (!body || codeOf(error) !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return undefined
  const types = [...(body.mediaTypes ?? ['application/json']), ...Object.keys(body.files ?? {})]
  return new AppError('UNSUPPORTED_MEDIA_TYPE', `Send the body as ${types.join(' or ')}`, { cause: error })
}

/** What the route shows: a field of these that a body cannot set is read-only rather than unknown. */
function readableFields(request: FastifyRequest): object {
  const schema = request.routeOptions?.config?.doc?.success.schema
  return schema?.properties ?? {}
}

export function toAppError(error: unknown, readable: object = {}): AppError {
  if (error instanceof AppError) return error
  const failure = error as FastifyError
  if (failure.validation) return unfit(failure.validation as ValidationFault[], readable, failure)
  const [code, msg] = fastifyCodes[failure.code] ?? []
  if (code && msg) return new AppError(code, msg, { cause: error })
  if (failure.statusCode && failure.statusCode >= 400 && failure.statusCode < 500) {
    return new AppError('MALFORMED_REQUEST', 'The request could not be read', { cause: error })
  }
  return new AppError('INTERNAL', 'Something went wrong on our side; the log has the details under this req_id', {
    cause: error,
  })
}

const rules: Record<string, string> = {
  additionalProperties: 'body.unknown_field',
  required: 'body.required',
  type: 'body.type',
  enum: 'body.enum',
  const: 'body.enum',
  maxLength: 'body.length',
  minLength: 'body.length',
  maxItems: 'body.length',
  minItems: 'body.length',
  format: 'body.format',
  pattern: 'body.format',
  minimum: 'body.range',
  maximum: 'body.range',
}

/** A body that does not fit; `readable` are the fields that answers show. */
export function unfit(faults: readonly ValidationFault[], readable: object, cause?: unknown): AppError {
  const details = faults.map((fault) => toDetail(fault, readable))
  const first = details[0] ?? { path: '', rule: 'body.invalid', message: 'The body does not fit' }
  const more =
    details.length > 1 ? ` (and ${details.length - 1}${details.length === MAX_DETAILS ? ' or' : ''} more)` : ''
  return new AppError('VALIDATION_ERROR', `${first.message}${more}`, { reason: first.rule, details, cause })
}

function toDetail(fault: ValidationFault, readable: object): ErrorDetail {
  const name = fault.params.additionalProperty ?? fault.params.missingProperty
  const path = [pathOf(fault), name].filter(Boolean).join('.')
  if (fault.keyword === 'additionalProperties' && Object.hasOwn(readable, path))
    return { path, rule: 'body.read_only', message: `${path} is read-only` }
  return { path, rule: rules[fault.keyword] ?? 'body.invalid', message: fault.message }
}

import type { IncomingMessage } from 'node:http'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type onRequestHookHandler,
  type onResponseHookHandler,
} from 'fastify'
import { AppError, callerLeft } from '../core/errors.ts'
import type { Caller, Scope } from '../core/rights.ts'
import { errorIn } from '../core/typed.ts'
import { booleanParameter, parseParameters } from '../query/parameters.ts'
import { rawQueryOf } from './address.ts'
import { acceptedOf } from './answers/accept.ts'
import { type Answered, answeredBy } from './answers/answered.ts'
import { answerClientError, answerConnect } from './answers/client-errors.ts'
import { callerSince, stampVersion } from './answers/data-version.ts'
import { installErrorHandler, ownErrorsOf, sendError, toAppError } from './answers/errors.ts'
import { installNotFound } from './answers/not-found.ts'
import { SameAgain } from './answers/same-again.ts'
import { installBodyParser } from './body.ts'
import { allowOrigin } from './callers/cors.ts'
import { requireRecentLoginFor } from './callers/recent-login.ts'
import { factorRequired } from './callers/second-factor.ts'
import { Arrivals } from './connections/arrivals.ts'
import { createDrain } from './connections/drain.ts'
import { answerOneByOne, inItsTurn } from './connections/one-by-one.ts'
import type { House, RoutePermission } from './context.ts'
import { listTypes } from './lists/formats.ts'
import { withLazyChildren } from './request-logger.ts'
import { isChange } from './route-doc.ts'
import { installValidation, noCompilers } from './validation.ts'

const BODY_LIMIT = 1024 * 1024
/** What somebody without a credential may send. */
const OPEN_BODY_LIMIT = 64 * 1024
const NO_QUERY = Object.freeze({})
const MAX_URL = 12 * 1024
const MAX_PARAMETER = 2400

/**
 * Fastify with the limits of a service that faces strangers, one error body, and permissions that cannot be forgotten.
 */
export async function createServer(house: House, logger: FastifyBaseLogger): Promise<FastifyInstance> {
  const drain = createDrain()
  const refusals = { docsUrl: house.config.docsUrl, tell: loggingRefusals(logger) }
  const app = fastify({
    loggerInstance: withLazyChildren(logger),
    genReqId: (raw): string => app.sameAgain.idOf(raw),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'req_id' }),
    // The address that our own proxy saw, the last one named; those before it anybody can make up.
    trustProxy: house.config.trustProxy && ((_address, hop) => hop === 0),
    bodyLimit: BODY_LIMIT,
    // See connections/arrivals.ts.
    requestTimeout: 0,
    connectionTimeout: 15_000,
    keepAliveTimeout: 65_000,
    // An idle keep-alive connection ends when we stop; one with a request on it is let finish. See
    // connections/drain.ts.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // See requirePermissions.
    exposeHeadRoutes: false,
    // The list grammar reads the query as it came; nobody asks for it parsed.
    // A key of 200 characters may take twelve times as many in the path.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAMETER, querystringParser: () => NO_QUERY },
    http: {
      ServerResponse: drain.Response,
      headersTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 32 * 1024,
      requireHostHeader: false,
    },
    schemaController: { compilersFactory: noCompilers },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, refusals),
    frameworkErrors: (error, request, reply) => {
      const own = ownErrorsOf(request)
      if (own) void own(error, request, reply.header('x-request-id', request.id))
      else sendError(request, reply, toAppError(error))
    },
  })

  answerOneByOne(app.server, (request) => app.sameAgain.atOnce(request))
  repeatFirst(app)

  // Node would answer 417 by itself, without our body; RFC 9110 lets us pass an unknown expectation over.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  // Nothing came and nothing was taken in time: what waits to be sent is dropped with the connection, not left to the
  // kernel.
  app.server.on('timeout', (socket) => socket.resetAndDestroy())

  app.server.on('connect', (_request, socket) => answerConnect(socket, refusals))

  const arrivals = new Arrivals()
  arrivals.watch(app.server)
  app.decorate('arrivals', arrivals)
  app.decorate('house', house)
  app.decorate('observers', [])
  app.decorate('errorsUnder', new Map())
  app.decorate('sameAgain', new SameAgain(house, app.observers, !house.rateLimit.isOff))
  app.decorate('routeTable', [])
  app.decorate('writables', new Map())
  app.decorate('answerUnclaimed', undefined)
  app.decorate('hasPortal', () => false)
  app.decorateRequest('caller')
  app.decorateRequest('scope')
  app.decorateRequest('failure')
  app.decorateRequest('bodyBytes')
  app.decorateRequest('isBroughtUpToDate', false)
  app.decorateRequest('isDryRun', false)
  app.decorateRequest('response')
  app.decorateRequest('signalToStop')
  app.decorateRequest('isRecheck', false)
  installErrorHandler(app)
  installBodyParser(app)
  installValidation(app)
  // Those who listen are told first: they come again elsewhere while requests under way finish.
  app.addHook('preClose', (done) => {
    house.streams.close()
    app.sameAgain.stop()
    done()
  })
  drain.install(app)
  requirePermissions(app)
  app.addHook('onRequest', (request, reply, done) => {
    request.response = reply.raw
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    allowOrigin(request, reply)
    done(findFault(request))
  })
  if (logsRequests(logger)) app.observers.push(logging(logger))
  if (logsRequests(logger) || house.config.metrics) app.addHook('onResponse', tellObservers)
  installNotFound(app)
  return app
}

/** Before anything else is made of a request, it is looked whether it is one that was answered before. */
function repeatFirst(app: FastifyInstance): void {
  app.server.removeAllListeners('request')
  app.server.on('request', (request, response) =>
    inItsTurn(request, () => {
      app.arrivals.expectBody(request)
      app.sameAgain.answer(request, response, app.routing)
    }),
  )
}

/** Not by a request's own logger: it would be made for this one line. */
const logging =
  (logger: FastifyBaseLogger) =>
  ({ id, method, url, status, ms, callerId, failure, ip }: Answered): void =>
    logger.info(
      {
        req_id: id,
        method,
        url,
        status,
        ms: Math.round(ms * 10) / 10,
        caller: callerId,
        ...refusalOf(failure),
        ip,
      },
      'answered',
    )

/** Every refusal has both: one that nothing more is to be said of is its code alone. */
const refusalOf = (failure: Answered['failure']): { code?: string; reason?: string } =>
  failure ? { code: failure.code, reason: failure.reason ?? failure.code.toLowerCase() } : {}

/** What Node refused before there was a request: under the id that its answer names, somebody may ask for it. */
const loggingRefusals =
  (logger: FastifyBaseLogger) =>
  (id: string, error: AppError, ip: string | undefined): void =>
    logger.info({ req_id: id, status: error.status, ...refusalOf(error), ip }, 'refused')

const tellObservers: onResponseHookHandler = (request, reply, done) => {
  const answered = { ...answeredBy(request, reply.statusCode), ms: reply.elapsedTime }
  for (const observe of request.server.observers) observe(answered)
  done()
}

/** Below this level a line per request would go nowhere. */
const logsRequests = (logger: FastifyBaseLogger): boolean => ['info', 'debug', 'trace'].includes(logger.level)

/** A route without a declared permission, and not declared open, does not start. */
function requirePermissions(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { permission, open, doc } = route.config ?? {}
    if ((permission === undefined) === (open === undefined)) {
      throw new Error(`${route.method} ${route.url} must declare either the permission it needs or why it is open`)
    }
    // One route for both: Fastify would make another of each. Node sends no body where the head is asked for.
    if (route.method === 'GET' && route.exposeHeadRoute !== false) route.method = ['GET', 'HEAD']
    for (const method of [route.method].flat()) app.routeTable.push({ method, url: route.url, permission, open, doc })
    if (permission === undefined) {
      // Whoever adds dry_run=true to what cannot be tried must learn of it before it is done.
      if (doc?.body) route.bodyLimit ??= OPEN_BODY_LIMIT
      if (doc?.body && !doc.parameters) route.onRequest = [refuseParameters, ...[route.onRequest ?? []].flat()]
      return
    }
    const guard: onRequestHookHandler = (request, reply, done) => authorize(request, reply, permission, done)
    const isTried = [route.method].flat().every((method) => isChange(method, permission))
    const own = [guard, ...(doc?.list || doc?.parameters ? [] : [isTried ? readDryRun : refuseParameters])]
    route.onRequest = [...own, ...[route.onRequest ?? []].flat()]
    if (isTried) route.onSend = [...[route.onSend ?? []].flat(), stampVersion]
  })
}

/** A parameter that is passed over would be a filter that does not filter. */
const refuseParameters: onRequestHookHandler = (request, _reply, done) => {
  try {
    parseParameters(rawQueryOf(request), {})
    done()
  } catch (error) {
    done(errorIn(error))
  }
}

/** A change takes one parameter: whether it is only tried. */
const readDryRun: onRequestHookHandler = (request, _reply, done) => {
  try {
    request.isDryRun = parseParameters(rawQueryOf(request), { dry_run: booleanParameter }).dry_run ?? false
    done()
  } catch (error) {
    done(errorIn(error))
  }
}

function authorize(
  request: FastifyRequest,
  reply: FastifyReply,
  permission: RoutePermission,
  done: (error?: Error) => void,
): void {
  try {
    const { sameAgain, house } = request.server
    const { authenticate, rateLimit } = house
    const found = rateLimit.isOff ? (sameAgain.callerOf(request.raw) ?? authenticate(request)) : counted(request, reply)
    const caller =
      found instanceof Promise
        ? found.then((asked) => callerSince(request, asked, authenticate))
        : callerSince(request, found, authenticate)
    if (caller instanceof Promise) {
      caller.then((known) => admit(request, known, permission, done), done)
      return
    }
    admit(request, caller, permission, done)
  } catch (error) {
    done(errorIn(error))
  }
}

async function counted(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  const { authenticate, rateLimit } = request.server.house
  const caller = await authenticate(request)
  await rateLimit.take(caller, reply)
  return caller
}

/** A route about the caller alone reaches no place. */
const NOWHERE: Scope = { locations: new Set(), buildings: new Set() }

function admit(
  request: FastifyRequest,
  caller: Caller,
  permission: RoutePermission,
  done: (error?: Error) => void,
): void {
  request.caller = caller
  const { awaitedFactor } = caller
  if (awaitedFactor && !request.routeOptions.config.beforeFactor?.includes(awaitedFactor)) {
    done(factorRequired(awaitedFactor))
    return
  }
  if (
    permission === 'self' &&
    caller.credential === 'access_token' &&
    !SELF_BY_ACCESS_TOKEN.has(request.routeOptions.url ?? '')
  ) {
    done(
      new AppError('UNAUTHORIZED', 'This is for people who have logged in, not for what acts for them', {
        status: 403,
        reason: 'session_required',
      }),
    )
    return
  }
  const scope = permission === 'self' ? NOWHERE : caller.rights.scopeOf(permission)
  if (scope === undefined) {
    done(lacking(caller, permission))
    return
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    try {
      requireRecentLoginFor(request, permission)
    } catch (error) {
      done(errorIn(error))
      return
    }
  }
  request.scope = scope
  done()
}

/** Whether the role or the credential is too narrow decides what is to be done about it. */
function lacking({ limitedTo, application }: Caller, permission: RoutePermission): AppError {
  const isNarrowed = limitedTo !== undefined && !limitedTo.some((held) => held === permission)
  if (!isNarrowed || !application) {
    const holder = isNarrowed ? 'credential is not allowed, whatever its role' : 'role does not have'
    const message = `This needs the permission ${permission}, which your ${holder}`
    return new AppError('UNAUTHORIZED', message, { status: 403, reason: 'insufficient_permissions' })
  }
  // RFC 6750: by this a client knows which scope to ask for when it gets its next token.
  const challenge = `Bearer realm="Gatehouse", error="insufficient_scope", scope="${permission}"`
  return new AppError(
    'UNAUTHORIZED',
    `The access token lacks the scope ${permission}: ask for it when you get the next token`,
    {
      status: 403,
      reason: 'insufficient_permissions',
      headers: { 'www-authenticate': challenge },
    },
  )
}

/**
 * Of what concerns the caller alone, an application is told whom it acts for; their sessions, grants and factors are
 * theirs.
 */
const SELF_BY_ACCESS_TOKEN: ReadonlySet<string> = new Set(['/api/v1/me'])

/** Headers that decide something and must come once. */
const SINGLE = new Set([
  'authorization',
  'content-type',
  'content-length',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'host',
])

/** The name of a header of these that came more than once. Node folds repeated headers into one. */
function findRepeated({ headers, rawHeaders }: IncomingMessage): string | undefined {
  let folded = rawHeaders.length / 2
  for (const _ in headers) folded -= 1
  if (folded === 0) return undefined
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  return names.find((name, index) => SINGLE.has(name) && names.indexOf(name) !== index)
}

function findFault(request: FastifyRequest): AppError | undefined {
  const { url = '' } = request.raw
  // Whom we would answer has no address any more. Without one nothing can be counted or recorded, and nobody waits.
  if (request.socket.remoteAddress === undefined) return callerLeft()
  if (url.length > MAX_URL) return new AppError('URI_TOO_LONG', `The address is longer than ${MAX_URL} characters`)
  if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
    return new AppError('MALFORMED_REQUEST', 'The header host is missing')
  const repeated = findRepeated(request.raw)
  if (repeated) return new AppError('MALFORMED_REQUEST', `The header ${repeated} is given more than once`)
  // Compressed bodies are not taken: what comes out of one can be a thousand times as large.
  if (request.headers['content-encoding'] !== undefined)
    return new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as it is, without Content-Encoding')
  return acceptFault(request)
}

function acceptFault(request: FastifyRequest): AppError | undefined {
  const { accept } = request.headers
  if (accept === undefined || accept === '*/*' || !/^\/(api|v1)\b/.test(request.raw.url ?? '')) return undefined
  // An export answers with a file, and with JSON where it fails.
  const { success, list } = request.routeOptions.config?.doc ?? {}
  const own = [...Object.keys(success?.files ?? {}), ...(success?.stream ? ['text/event-stream'] : [])]
  const files = list?.isExported ? listTypes.slice(1) : own
  if (acceptedOf(accept, ['application/json', 'application/problem+json', ...files]) !== undefined) return undefined
  return new AppError(
    'NOT_ACCEPTABLE',
    `Answers are ${[...files, 'application/json'].join(' or ')}; the Accept header leaves no room for it`,
  )
}

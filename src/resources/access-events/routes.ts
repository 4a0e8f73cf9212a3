import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorDetail } from '../../core/errors.ts'
import { Pauses } from '../../core/pauses.ts'
import { covers } from '../../core/rights.ts'
import { findSeen } from '../../db/rows.ts'
import { reading } from '../../http/context.ts'
import { FeedMeta } from '../../http/feeds/read.ts'
import { streamRoute } from '../../http/feeds/stream-route.ts'
import { Repeatable } from '../../http/items/idempotency.ts'
import { bodyOf } from '../../http/items/item.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { alone } from '../../http/items/write.ts'
import { accessEventsFeed } from '../../live/events-feed.ts'
import { shownEvent } from '../../live/intake/event-row.ts'
import { ingest } from '../../live/intake/ingest.ts'
import type { IngestResult, NewEvent } from '../../live/intake/new-event.ts'
import { addVerdicts, answerAsFeed, feedDocs, whereToLook } from './reading.ts'
import { findFault } from './row-fault.ts'
import {
  AccessEventBatch,
  AccessEventCreate,
  AccessEventResults,
  accessEvents,
  anyBatch,
  exampleEvent,
  ReportedAccessEvent,
} from './schema.ts'

const PATH = '/api/v1/access-events'
const errors = ['VALIDATION_ERROR', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'] as const

export function accessEventRoutes(app: FastifyInstance): void {
  app.register(async (scope) => {
    scope.addHook('preHandler', answerAsFeed)
    resourceRoutes(scope, accessEvents, {
      operations: ['list', 'get'],
      decorate: addVerdicts,
      completes: ['verdict', 'verdict_reason'],
      conditions: (handle, _values, query) => whereToLook(handle, query),
      parameterDocs: feedDocs,
      feedMeta: FeedMeta,
    })
  })
  streamRoute(app, PATH, accessEventsFeed, { tag: accessEvents.plural, example: exampleStored })
  app.post(
    PATH,
    {
      config: {
        permission: 'access-events:write',
        doc: {
          tag: accessEvents.plural,
          operationId: 'createAccessEvent',
          summary: 'Report an event',
          description:
            'Stored once it answers. With `source_id` it may be sent again: what was stored before answers 200 and ' +
            'is not stored twice. With an `Idempotency-Key` the answer is that of the first time. Whoever may not ' +
            'read it is told its id and its place in the order.',
          body: { name: 'AccessEventCreate', schema: AccessEventCreate, example: exampleEvent },
          success: { status: 200, mayCreate: true, name: 'ReportedAccessEvent', schema: ReportedAccessEvent },
          errors: [...errors],
          isTried: false,
        },
      },
      schema: { body: AccessEventCreate },
    },
    async (request, reply) => {
      const [result] = await take(request, [bodyOf<NewEvent>(request)], true)
      if (!result || result.status === 'refused') throw refused(result)
      const isNew = result.status === 'stored'
      const data = await shown(request, result)
      reply.code(isNew ? 201 : 200)
      if (isNew) reply.header('location', `${PATH}/${result.id}`)
      return { msg: isNew ? 'Stored access event' : 'This access event had been stored before', data }
    },
  )
  app.post(
    `${PATH}/batch`,
    {
      config: {
        permission: 'access-events:write',
        doc: {
          tag: accessEvents.plural,
          operationId: 'createAccessEvents',
          summary: 'Report up to 1,000 events',
          description:
            'Each as by itself: what does not fit is refused in its own result, and the others are stored all the ' +
            'same.',
          body: { name: 'AccessEventBatch', schema: AccessEventBatch, example: { events: [exampleEvent] } },
          success: { status: 200, name: 'AccessEventResults', schema: AccessEventResults, example: exampleResults },
          errors: [...errors],
          isTried: false,
        },
      },
      schema: { body: anyBatch },
    },
    async (request: FastifyRequest, reply: FastifyReply) => {
      const results = await takeEach(request, bodyOf<{ events: unknown[] }>(request).events)
      const count = (status: IngestResult['status']) => results.filter((result) => result.status === status).length
      const data = { results, stored: count('stored'), duplicates: count('duplicate'), refused: count('refused') }
      return reply.send({ msg: `Stored ${data.stored} of ${results.length} access events`, data })
    },
  )
}

const exampleStored = {
  ...exampleEvent,
  id: '01997d2a-4c00-7000-8000-000000000001',
  sequence: 42,
  received_at: '2026-05-04T08:30:00.000Z',
  verdict: 'agreed',
  verdict_reason: 'unknown_credential',
}

const exampleResults = {
  results: [{ status: 'stored', id: '01997d2a-4c00-7000-8000-000000000001', sequence: 42 }],
  stored: 1,
  duplicates: 0,
  refused: 0,
}

/** Where the sender's own right ends, its events end too. */
const take = async (request: FastifyRequest, events: NewEvent[], isShown = false): Promise<IngestResult[]> => {
  if (request.isDryRun)
    throw new AppError('VALIDATION_ERROR', 'What has happened cannot be tried out: leave dry_run out', {
      reason: 'param.unknown',
    })
  const repeatable = Repeatable.of(request)
  const { server, caller, scope } = request
  return alone(request, repeatable, () =>
    ingest(server.house, caller.org, events, { scope, isShown, once: repeatable?.once }),
  )
}

/** What does not fit has its fault in its place; the others are stored together. */
async function takeEach(request: FastifyRequest, events: readonly unknown[]): Promise<IngestResult[]> {
  const faults = new Map<number, ErrorDetail>()
  const pauses = new Pauses()
  for (const [index, event] of events.entries()) {
    const fault = findFault(event)
    if (!fault) continue
    faults.set(index, fault)
    // Saying what is wrong takes longer than finding nothing wrong.
    await pauses.take()
  }
  const fitting = faults.size === 0 ? events : events.filter((_, index) => !faults.has(index))
  const taken = (await take(request, fitting as NewEvent[])).values()
  return events.map((_, index) => {
    const fault = faults.get(index)
    return fault ? { status: 'refused', fault } : (taken.next().value as IngestResult)
  })
}

function refused(result: IngestResult | undefined): Error {
  if (result?.status !== 'refused') return new Error('an event without a result')
  const { fault } = result
  return new AppError('VALIDATION_ERROR', fault.message, { reason: fault.rule, details: [fault] })
}

/** What a reader reads may be somebody's of elsewhere: the sender is shown what it could read of the event, no more. */
async function shown(request: FastifyRequest, { id, sequence, event }: Exclude<IngestResult, { status: 'refused' }>) {
  const readable = request.caller.rights.scopeOf('access-events:read')
  if (event && covers(readable, request.scope)) return shownEvent(event)
  const handle = reading(request)
  const row = readable && (await findSeen(handle, accessEvents, id, readable))
  if (!row) return { id, sequence }
  await addVerdicts(handle, [row])
  return row
}

import { randomUUIDv7 } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from '../../core/schema.ts'
import { change } from '../../db/change.ts'
import { getRow } from '../../db/rows.ts'
import { actorOf, reading } from '../../http/context.ts'
import { idOf } from '../../http/items/item.ts'
import { NoBody } from '../../http/schemas.ts'
import { changeLive } from '../../live/live-transaction.ts'
import { createCalls } from '../../net/calls.ts'
import { type Message, type Outcome, sendWebhook } from '../../net/webhook.ts'
import { secretsOf } from './queries.ts'
import { type Webhook, webhooks } from './schema.ts'

/** An answer begins within ten seconds. */
const TIMEOUT_MS = 8000

const WebhookTest = Type.Object({
  result: Type.Unsafe<'delivered' | 'failed'>({
    type: 'string',
    enum: ['delivered', 'failed'],
    description: 'Delivered: the answer was 2xx.',
  }),
  status_code: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'The status of the answer; null: there was none.',
  }),
  response: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'How the answer begins.' }),
  error: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Why there was no answer.' }),
  duration_ms: Type.Integer({ description: 'How long it took.' }),
})

const NOTHING_SENT = {
  result: 'failed',
  status_code: null,
  response: null,
  error: 'Nothing was sent: it is a dry run',
  duration_ms: 0,
}

/** `POST /api/v1/webhooks/{id}/test`: sends one message at once and says what came back. */
export function testRoute(app: FastifyInstance): void {
  const call = createCalls(app.house.config.outgoingAllow)
  const doc = {
    tag: webhooks.plural,
    operationId: 'testWebhook',
    summary: 'Test a webhook',
    description:
      'Sends a message of the type `webhook.test` at once, whether the webhook is active or not, and answers with ' +
      'what came back.',
    success: {
      status: 200 as const,
      name: 'WebhookTest',
      schema: WebhookTest,
      example: { result: 'delivered', status_code: 200, response: 'ok', error: null, duration_ms: 12 },
    },
    errors: ['NOT_FOUND', 'VALIDATION_ERROR'] as const,
    isRepeatable: false,
  }
  app.post(
    '/api/v1/webhooks/:id/test',
    { config: { permission: 'webhooks:write', doc }, schema: { body: NoBody } },
    async (request) => {
      const handle = reading(request)
      const webhook = await getRow(handle, webhooks, idOf(request), request.scope)
      if (request.isDryRun) return { msg: 'Dry run, nothing was sent', data: NOTHING_SENT, meta: { dry_run: true } }
      const message = {
        id: `msg_${randomUUIDv7()}`,
        type: 'webhook.test',
        timestamp: handle.instant,
        data: { webhook_id: webhook.id },
      }
      const sending = {
        url: webhook.url,
        secrets: await secretsOf(handle, webhook.id),
        at: handle.instant,
        timeoutMs: TIMEOUT_MS,
      }
      const { isDelivered, isGone: _, ...outcome } = await sendWebhook(call, message, sending)
      const result = isDelivered ? 'delivered' : 'failed'
      await record(request, webhook, message, { result, ...outcome })
      return {
        msg: isDelivered ? 'The test message was delivered' : 'The test message was not delivered',
        data: { result, ...outcome },
      }
    },
  )
}

type Result = Pick<Outcome, 'status_code' | 'response' | 'error' | 'duration_ms'> & { result: 'delivered' | 'failed' }

/** Among the deliveries, and in the audit log: somebody had us call somewhere. */
async function record(request: FastifyRequest, webhook: Webhook, message: Message, outcome: Result): Promise<void> {
  const { engine, clock } = request.server.house
  const { status_code, error } = outcome
  const delivery = {
    id: randomUUIDv7(),
    webhook_id: webhook.id,
    attempted_at: message.timestamp,
    feed: null,
    sequence: null,
    attempt: 1,
  }
  await changeLive(engine, request.caller.org, clock.now(), (tx) =>
    tx.insertMany('webhook_deliveries', [{ ...delivery, message_id: message.id, type: message.type, ...outcome }]),
  )
  await change(engine, request.caller.org, clock.now(), actorOf(request), async (tx) => {
    tx.event({
      action: 'webhook.tested',
      resource: webhooks.noun,
      resourceId: webhook.id,
      before: null,
      after: { ...webhook, status_code, error },
    })
  })
}

import { common, integer, json, oneOf, prose, type RowOf, reference, text, timestamp, uuid } from '../../core/fields.ts'
import { Type } from '../../core/schema.ts'
import { inColumns } from '../../db/lists/search.ts'
import { defineResource } from '../../db/resource.ts'

const state = (column: string) =>
  `(select s.${column} from webhook_states s where s.org = :org and s.webhook_id = t.id)`

export const webhooks = defineResource({
  noun: 'webhooks',
  table: 'webhooks',
  singular: 'webhook',
  plural: 'webhooks',
  description:
    'Where what happens is sent to, as it happens: one message each, signed as Standard Webhooks says, in order and ' +
    'at least once. A webhook sends what its owner may read at that moment: whoever made it, or last changed where ' +
    'it sends what. It is tried again with growing gaps for three days, then disabled.',
  fields: {
    ...common,
    url: text(2000, { minLength: 1 })
      .required()
      .describe(
        'Where to. HTTPS, unless the configuration allows the target by OUTGOING_ALLOW.',
        'https://example.com/hooks/gatehouse',
      ),
    types: json(Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 50, uniqueItems: true }))
      .required()
      .describe('What is sent: types of changes and events, `*` standing for any characters.', [
        'access-grant.*',
        'access.denied',
      ]),
    description: prose().nullable().describe('What it is for.', 'Tells the ticket system'),
    status: oneOf('active', 'disabled')
      .default('active')
      .describe('Whether it sends. One that is made active again goes on where it was.'),
    disabled_reason: text(200)
      .nullable()
      .readOnly()
      .describe('Why the service has disabled it; null: somebody has, or nobody.', null),
    user_id: reference('users')
      .nullable()
      .readOnly()
      .owned()
      .describe('Its owner, a user: it sends what they may read.'),
    service_user_id: reference('service_users')
      .nullable()
      .readOnly()
      .owned()
      .describe('Its owner, a service user.', null),
    failure_count: integer(0, Number.MAX_SAFE_INTEGER)
      .derived(state('failure_count'))
      .describe('Attempts that failed since the last one that did not.', 0),
    failing_since: timestamp()
      .nullable()
      .derived(state('failing_since'))
      .describe('Since when; null: it does not fail.', null),
    next_attempt_at: timestamp()
      .nullable()
      .derived(
        `(select case when s.failure_count > 0 and t.status = 'active' then s.next_at end from webhook_states s
          where s.org = :org and s.webhook_id = t.id)`,
      )
      .describe('When it is tried again; null: it does not wait for that.', null),
    last_delivered_at: timestamp()
      .nullable()
      .derived(state('last_delivered_at'))
      .describe('When something last arrived.'),
    blocked_reason: oneOf('owner_suspended', 'owner_lacks_permission')
      .nullable()
      .derived(state('blocked_reason'))
      .describe('Why it sends nothing though it is active; null: it does.', null),
  },
  search: ['url', 'description', 'external_id'],
  isVolatile: true,
})

export type Webhook = RowOf<typeof webhooks.fields>

export const webhookDeliveries = defineResource({
  noun: 'webhook-deliveries',
  table: 'webhook_deliveries',
  permissions: { read: 'webhooks:read', write: 'webhooks:write' },
  singular: 'webhook delivery',
  plural: 'webhook deliveries',
  description:
    'Every attempt to send something, with what came back, of the last seven days. One of the type ' +
    '`webhook.passed_over` says what was not kept for as long as it waited, and is not sent.',
  fields: {
    id: uuid().readOnly().describe('Identifier (UUIDv7).', '01997d2a-4c00-7000-8000-000000000001'),
    webhook_id: reference('webhooks').readOnly().owned().describe('The webhook.'),
    attempted_at: timestamp().readOnly().describe('When it was tried.'),
    feed: text(50).nullable().readOnly().describe('The feed that it is from; null: a test.', 'changes'),
    sequence: integer(0, Number.MAX_SAFE_INTEGER).nullable().readOnly().describe('Its sequence there.', 42),
    message_id: text(100).readOnly().describe('The header `webhook-id`: the same at every attempt.', 'msg_01997d2a'),
    type: text(100).readOnly().describe('What happened.', 'key.issued'),
    attempt: integer(1, 1_000_000).readOnly().describe('The how-manyeth attempt it was.', 1),
    result: oneOf('delivered', 'failed').readOnly().describe('Delivered: the answer was 2xx.'),
    status_code: integer(0, 999).nullable().readOnly().describe('The status of the answer; null: there was none.', 200),
    response: text(1000).nullable().readOnly().describe('How the answer begins.', 'ok'),
    error: text(500).nullable().readOnly().describe('Why there was no answer.', null),
    duration_ms: integer(0, 1_000_000).readOnly().describe('How long it took.', 12),
  },
  search: [],
  searchAlso: inColumns('type', 'message_id'),
  defaultOrder: ['attempted_at', 'id'],
  isVolatile: true,
})

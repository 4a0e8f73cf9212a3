import type { FastifyInstance } from 'fastify'
import { Type } from '../../core/schema.ts'
import { refuseTokensFor } from '../../http/callers/refuse-tokens.ts'
import { actionRoute } from '../../http/items/action.ts'
import { bodyOf } from '../../http/items/item.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { itemSchema } from '../../http/schemas.ts'
import { Policy } from '../../net/policy.ts'
import { createWebhook, prepareWebhook, replayFrom, rotateSecret } from './queries.ts'
import { webhookDeliveries, webhooks } from './schema.ts'
import { testRoute } from './test-route.ts'

/** It sends on what its owner may read after whatever made it has ended. */
const byPeopleAlone = refuseTokensFor(
  'tokens_cannot_make_webhooks',
  'A token cannot make or change a webhook, which would go on sending after the token has ended; log in to the portal',
)

const secret = Type.String({
  description:
    'What messages are signed with. Shown this once: a repetition with the same Idempotency-Key leaves it out.',
  examples: ['whsec_…'],
})
const item = itemSchema(webhooks)
/** The answers that hold the secret. */
const success = { name: 'WebhookWithSecret', schema: { ...item, properties: { ...item.properties, secret } } }

export function webhookRoutes(app: FastifyInstance): void {
  const prepare = prepareWebhook(new Policy(app.house.config.outgoingAllow))
  resourceRoutes(app, webhooks, {
    prepare,
    beforeWrite: byPeopleAlone,
    errors: { patch: ['INVALID_STATE'] },
    creation: {
      description:
        'It sends what happens from now on. The secret is in this answer and nowhere else. Only somebody who has ' +
        'logged in makes webhooks: what a token makes would outlive its revocation.',
      shows: { name: success.name, properties: { secret } },
      make: createWebhook(prepare),
    },
  })
  resourceRoutes(app, webhookDeliveries, {
    operations: ['list', 'get'],
    parent: { resource: webhooks, field: 'webhook_id', segment: 'deliveries' },
  })
  rotateRoute(app)
  replayRoute(app)
  testRoute(app)
}

function rotateRoute(app: FastifyInstance): void {
  actionRoute(app, webhooks, {
    verb: 'rotate-secret',
    summary: 'Rotate the secret of a webhook',
    description:
      'Makes a new secret, shown this once. Messages are signed with both for a day: a receiver verifies them with ' +
      'either. At most five that were replaced sign along; once more within the day is refused.',
    success,
    beforeWrite: byPeopleAlone,
    run: async (tx, webhook) => {
      const { row, secret } = await rotateSecret(tx, webhook)
      return { msg: 'Rotated the secret of the webhook; the new one is shown this once', data: row, secret: { secret } }
    },
  })
}

const Replay = Type.Object(
  {
    feed: Type.Optional(
      Type.String({
        maxLength: 50,
        description:
          'Which feed: changes or access-events. Unless given, the one that its types are of; of both, changes.',
        examples: ['access-events'],
      }),
    ),
    after: Type.Integer({
      minimum: 0,
      description: 'Everything after this sequence is sent again; 0: everything that is kept.',
    }),
  },
  { additionalProperties: false },
)

function replayRoute(app: FastifyInstance): void {
  actionRoute(app, webhooks, {
    verb: 'replay',
    summary: 'Replay a webhook',
    description:
      'Sends everything of a feed after a sequence again, in order, as far as the owner may read it now. Messages ' +
      'have the ids that they had before: a receiver knows what it has had. A sequence that the feed does not have ' +
      'is refused to whoever may read the feed; to others it is the nearest that it has.',
    body: { name: 'WebhookReplay', schema: Replay },
    run: async (tx, webhook, request) => {
      const { feed, after } = bodyOf(request, Replay)
      return { msg: `Replaying ${await replayFrom(tx, webhook, feed, after)} after ${after}`, data: webhook }
    },
  })
}

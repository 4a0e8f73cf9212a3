import type { FastifyInstance } from 'fastify'
import { Type } from '../../core/schema.ts'
import { actionRoute } from '../../http/items/action.ts'
import { bodyIfAny } from '../../http/items/item.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { itemSchema } from '../../http/schemas.ts'
import { refuseTokens } from '../sessions/caller.ts'
import { createApplication, prepareApplication, rotateSecret } from './queries.ts'
import { oauthApplications } from './schema.ts'

const MAX_GRACE_SECONDS = 7 * 24 * 3600
const DEFAULT_GRACE_SECONDS = 3600

const client_secret = Type.String({
  description:
    'The secret, of a confidential application. Shown this once: a repetition with the same Idempotency-Key leaves ' +
    'it out.',
  examples: ['acs_sec_…'],
})
const item = itemSchema(oauthApplications)
/** The answers that hold the secret. */
const success = {
  name: 'OAuthApplicationWithSecret',
  schema: { ...item, properties: { ...item.properties, client_secret } },
}

const SecretRotate = Type.Object(
  {
    grace_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_GRACE_SECONDS,
        default: DEFAULT_GRACE_SECONDS,
        description: 'How long the secret before still works; 0 ends it at once.',
      }),
    ),
  },
  { additionalProperties: false },
)

export function oauthApplicationRoutes(app: FastifyInstance): void {
  resourceRoutes(app, oauthApplications, {
    prepare: prepareApplication,
    creation: {
      description:
        'The secret of a confidential application is in this answer and nowhere else. Only somebody who has logged ' +
        'in can create one, and nobody can let it ask for more than they may do themselves.',
      shows: { name: success.name, properties: { client_secret } },
      make: createApplication,
    },
  })
  actionRoute(app, oauthApplications, {
    verb: 'rotate-secret',
    summary: 'Rotate the secret of an OAuth application',
    description:
      'Makes a new secret, shown this once; the one before still works for the grace period. Only somebody who has ' +
      'logged in can.',
    body: { name: 'OAuthApplicationSecretRotate', schema: SecretRotate, required: false },
    success,
    run: async (tx, row, request) => {
      await refuseTokens(request)
      const { grace_seconds = DEFAULT_GRACE_SECONDS } = bodyIfAny(request, SecretRotate)
      const made = await rotateSecret(tx, row, grace_seconds)
      return { msg: 'Rotated secret; it is shown this once', data: made.row, secret: { client_secret: made.secret } }
    },
  })
}

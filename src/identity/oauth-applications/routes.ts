import type { FastifyInstance } from 'fastify'
import { type Static, type TSchema, Type } from '../../core/schema.ts'
import type { AnyRow } from '../../db/resource.ts'
import { actionRoute } from '../../http/items/action.ts'
import { bodyOf } from '../../http/items/item.ts'
import { type ResourceRoutes, resourceRoutes } from '../../http/items/resource.ts'
import { write } from '../../http/items/write.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { createSchema, itemSchema } from '../../http/schemas.ts'
import { refuseTokens } from '../sessions/caller.ts'
import { insertApplication, prepareApplication, rotateSecret } from './queries.ts'
import { type OauthApplication, oauthApplications } from './schema.ts'

const MAX_GRACE_SECONDS = 7 * 24 * 3600
const DEFAULT_GRACE_SECONDS = 3600

const { properties, ...item } = itemSchema(oauthApplications) as TSchema & { properties: Record<string, TSchema> }
/** The one answer that holds the secret. */
const WithSecret: TSchema = {
  ...item,
  properties: {
    ...properties,
    client_secret: Type.Optional(
      Type.String({
        description:
          'The secret, of a confidential application. Shown this once: a repetition with the same Idempotency-Key leaves it out.',
        examples: ['acs_sec_…'],
      }),
    ),
  },
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
    operations: ['list', 'get', 'patch', 'delete'],
    prepare: prepareApplication as ResourceRoutes['prepare'],
  } as ResourceRoutes)
  createRoute(app)
  actionRoute<OauthApplication>(app, oauthApplications, {
    verb: 'rotate-secret',
    summary: 'Rotate the secret of an OAuth application',
    description:
      'Makes a new secret, shown this once; the one before still works for the grace period. Only somebody who has logged in can.',
    body: { name: 'OAuthApplicationSecretRotate', schema: SecretRotate, required: false },
    success: { name: 'OAuthApplicationWithSecret', schema: WithSecret },
    run: async (tx, row, request) => {
      await refuseTokens(request)
      const { grace_seconds = DEFAULT_GRACE_SECONDS } = (request.body ?? {}) as Static<typeof SecretRotate>
      const made = await rotateSecret(tx, row, grace_seconds)
      return { msg: 'Rotated secret; it is shown this once', data: made.row, secret: { client_secret: made.secret } }
    },
  })
}

function createRoute(app: FastifyInstance): void {
  const schema = createSchema(oauthApplications)
  const doc: RouteDoc = {
    tag: oauthApplications.plural,
    operationId: 'createOAuthApplication',
    summary: 'Create an OAuth application',
    description:
      'The secret of a confidential application is in this answer and nowhere else. Only somebody who has logged in can create one, and nobody can let it ask for more than they may do themselves.',
    body: { name: 'OAuthApplicationCreate', schema },
    success: { status: 201, name: 'OAuthApplicationWithSecret', schema: WithSecret },
    errors: ['VALIDATION_ERROR', 'CONFLICT', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'],
    hasEtag: true,
  }
  app.post(
    '/api/v1/oauth-applications',
    { config: { permission: 'oauth-applications:write', doc }, schema: { body: schema }, onRequest: refuseTokens },
    async (request, reply) =>
      write(request, reply, async (tx) => {
        const { row, secret } = await insertApplication(tx, bodyOf(request) as AnyRow, request.scope)
        return {
          msg: secret === undefined ? 'Created OAuth application' : 'Created OAuth application; its secret is shown this once',
          status: 201,
          location: `/api/v1/oauth-applications/${row.id}`,
          data: row,
          ...(secret === undefined ? {} : { secret: { client_secret: secret } }),
        }
      }),
  )
}

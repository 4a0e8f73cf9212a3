import type { FastifyInstance } from 'fastify'
import { Type } from '../../core/schema.ts'
import { bodyOf } from '../../http/items/item.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { revokeLeaked } from './queries.ts'
import { tokens } from './schema.ts'

const value = Type.String({ maxLength: 200, examples: ['acs_pat_…'] })
const LeakReport = Type.Object(
  {
    token: Type.Optional({ ...value, description: 'One token.' }),
    tokens: Type.Optional(
      Type.Array(value, { minItems: 1, maxItems: 100, description: 'Several of them; give one or the other.' }),
    ),
  },
  { additionalProperties: false, minProperties: 1, maxProperties: 1 },
)

const MSG = 'Thank you. Whatever of this was a token in use is revoked'

const doc: RouteDoc = {
  tag: tokens.plural,
  operationId: 'reportLeakedTokens',
  summary: 'Report leaked tokens',
  description:
    'For whoever finds a token where it should not be: revokes what it is handed. No credential is needed, and the ' +
    'answer is always the same, so that it tells nobody whether a token was good. Counts against the limit of ' +
    'failed authentications of the address.',
  body: { name: 'LeakReport', schema: LeakReport },
  success: { status: 200, msg: MSG },
  errors: ['VALIDATION_ERROR', 'RATE_LIMITED'],
}

export function reportLeakedRoute(app: FastifyInstance): void {
  const { engine, clock, failures } = app.house
  app.post(
    '/api/v1/tokens/report-leaked',
    { config: { open: 'whoever finds a leaked token has no credential', doc }, schema: { body: LeakReport } },
    async (request, reply) => {
      const refusal = failures.count(request.ip)
      if (refusal) throw refusal
      const { token, tokens: list } = bodyOf(request, LeakReport)
      await revokeLeaked(engine, clock.now(), { address: request.ip, reqId: request.id }, list ?? [token ?? ''])
      return reply.header('cache-control', 'no-store').send({ msg: MSG })
    },
  )
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pinKeysOf } from '../../access/pin-key.ts'
import { actionRoute } from '../../http/action.ts'
import { resourceRoutes } from '../../http/resource.ts'
import { findCredential, prepareCredential } from './queries.ts'
import { type Credential, credentials } from './schema.ts'

export function credentialRoutes(app: FastifyInstance): void {
  // In a scope of their own: the hook is for these routes alone.
  app.register(async (scope) => {
    scope.addHook('preHandler', hidePin)
    resourceRoutes(scope, credentials, { prepare: prepareCredential, errors: { patch: ['INVALID_STATE'] } })
    actionRoute<Credential>(scope, credentials, {
      verb: 'found',
      summary: 'Report a lost or stolen credential found',
      description:
        'It becomes suspended (status_reason forgotten), never straight active: once it has been looked at, set status_reason to none. 409 CONFLICT when another credential carries its number by now.',
      errors: ['CONFLICT'],
      run: async (tx, row) => ({ msg: 'Found credential: it is suspended', data: await findCredential(tx, row) }),
    })
  })
}

/** Nothing further in should ever see the PIN. */
async function hidePin(request: FastifyRequest): Promise<void> {
  const body = request.body as { pin?: string | null } | null | undefined
  if (typeof body?.pin === 'string') [body.pin] = await pinKeysOf(request.server.house.engine, request.caller.org, body.pin)
}

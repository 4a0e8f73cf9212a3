import type { FastifyInstance } from 'fastify'
import { pinKeysOf } from '../../access/pin-key.ts'
import type { Engine } from '../../db/engine.ts'
import type { AnyRow } from '../../db/resource.ts'
import { actionRoute } from '../../http/items/action.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { findCredential, prepareCredential } from './queries.ts'
import { credentials } from './schema.ts'

export function credentialRoutes(app: FastifyInstance): void {
  resourceRoutes(app, credentials, {
    prepare: prepareCredential,
    conceal: hidePin,
    errors: { patch: ['INVALID_STATE'] },
  })
  actionRoute(app, credentials, {
    verb: 'found',
    summary: 'Report a lost or stolen credential found',
    description:
      'It becomes suspended (status_reason forgotten), never straight active: once it has been looked at, set ' +
      'status_reason to none. 409 CONFLICT when another credential carries its number by now.',
    errors: ['CONFLICT'],
    run: async (tx, row) => ({ msg: 'Found credential: it is suspended', data: await findCredential(tx, row) }),
  })
}

/** Nothing further in should ever see the PIN, but for all that it may be stored as. */
async function hidePin(engine: Engine, org: number, body: AnyRow): Promise<void> {
  if (typeof body.pin === 'string') body.pin = (await pinKeysOf(engine, org, body.pin)).join(' ')
}

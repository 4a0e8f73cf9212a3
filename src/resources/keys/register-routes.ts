import type { FastifyInstance } from 'fastify'
import type { Scope } from '../../core/rights.ts'
import type { Tx } from '../../db/change.ts'
import type { AnyRow } from '../../db/resource.ts'
import type { Made } from '../../db/rows.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { keyHandovers } from '../key-handovers/schema.ts'
import { type IssueBody, issueKey } from './queries.ts'
import { keyOf } from './ring.ts'

/** The register of handovers: an entry is made by issuing its key, and is not changed or deleted by hand. */
export function registerRoutes(app: FastifyInstance): void {
  resourceRoutes(app, keyHandovers, {
    operations: ['list', 'get', 'create'],
    errors: { create: ['INVALID_STATE'] },
    creation: {
      summary: 'Issue a key by its entry in the register',
      description:
        'Gives a key that is in stock to an active individual, as `POST /api/v1/keys/{id}/issue` does, and answers ' +
        'with the entry. By a key of your own (PUT, batch) it is issued once, however often it is sent.',
      make: enter,
    },
  })
}

async function enter(tx: Tx, { key_id, ...body }: AnyRow, scope: Scope): Promise<Made> {
  const key = await keyOf(tx, 'key_id', key_id as string, scope)
  const { handover } = await issueKey(tx, key, body as IssueBody, scope)
  return { row: handover, msg: `Issued key ${key.number}` }
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from '../../core/schema.ts'
import { actionRoute } from '../../http/items/action.ts'
import { bodyIfAny } from '../../http/items/item.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { approve, deny, prepareRequest, withdraw } from './queries.ts'
import { accessRequests } from './schema.ts'

const Note = Type.Object(
  {
    note: Type.Optional(
      Type.String({ maxLength: 2000, description: 'What you say to it.', examples: ['As agreed with the tenant'] }),
    ),
  },
  { additionalProperties: false },
)
const noteOf = (request: FastifyRequest): string | null => bodyIfAny(request, Note).note ?? null
const body = { name: 'AccessRequestStep', schema: Note, required: false }

export function accessRequestRoutes(app: FastifyInstance): void {
  resourceRoutes(app, accessRequests, {
    operations: ['list', 'get', 'create', 'patch'],
    prepare: prepareRequest,
    errors: { patch: ['INVALID_STATE'] },
  })
  actionRoute(app, accessRequests, {
    verb: 'approve',
    permission: 'access-grants:write',
    summary: 'Approve an access request',
    description:
      'Makes the grant that was asked for and names it. For whoever may give access there, and not for whoever ' +
      'asked. With `dry_run` it says who would gain which doors.',
    body,
    run: async (tx, row, request) => ({
      msg: 'Approved access request',
      data: await approve(tx, row, noteOf(request), request.scope),
    }),
  })
  actionRoute(app, accessRequests, {
    verb: 'deny',
    permission: 'access-grants:write',
    summary: 'Deny an access request',
    description: 'Nothing is given. For whoever may give access there.',
    body,
    run: async (tx, row, request) => ({
      msg: 'Denied access request',
      data: await deny(tx, row, noteOf(request)),
    }),
  })
  actionRoute(app, accessRequests, {
    verb: 'withdraw',
    summary: 'Withdraw an access request',
    description:
      'It is not needed any more. For whoever asked; one that was decided already cannot be withdrawn (409).',
    run: async (tx, row) => ({ msg: 'Withdrew access request', data: await withdraw(tx, row) }),
  })
}

import type { FastifyInstance } from 'fastify'
import { Type } from '../../core/schema.ts'
import { actionRoute } from '../../http/items/action.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { qrCodeRoute } from './qr-code.ts'
import { arrive, createVisit, endVisit, prepareVisit } from './queries.ts'
import { visits } from './schema.ts'

const pin = Type.String({ description: 'The PIN, in this answer only.', examples: ['73019264'] })

export function visitRoutes(app: FastifyInstance): void {
  resourceRoutes(app, visits, {
    operations: ['list', 'get', 'create', 'patch'],
    prepare: prepareVisit,
    errors: { patch: ['INVALID_STATE'] },
    creation: {
      description:
        'Makes what lets the visitor in for that time, at these places: a credential and a grant for each place. A ' +
        'PIN is in this answer and nowhere else; a QR code is an image of its own.',
      shows: { name: 'VisitMade', properties: { pin }, isOfSome: true },
      make: createVisit,
    },
  })
  qrCodeRoute(app)
  actionRoute(app, visits, {
    verb: 'arrive',
    summary: 'Note that a visitor came',
    description: 'Of a visit that is planned.',
    permission: 'visits:receive',
    run: async (tx, row) => ({ msg: 'The visitor has arrived', data: await arrive(tx, row) }),
  })
  actionRoute(app, visits, {
    verb: 'leave',
    summary: 'Note that a visitor left',
    description:
      'Ends the credential and the grants of the visit at once. Of a visit whose visitor has arrived or was seen ' +
      'coming in by a door, when it is over too.',
    permission: 'visits:receive',
    run: async (tx, row) => ({ msg: 'The visitor has left', data: await endVisit(tx, row, 'left_at') }),
  })
  actionRoute(app, visits, {
    verb: 'cancel',
    summary: 'Call off a visit',
    description: 'Of a visit that is planned. Ends its credential and grants at once.',
    run: async (tx, row) => ({ msg: 'Called off visit', data: await endVisit(tx, row, 'cancelled_at') }),
  })
}

import type { FastifyInstance } from 'fastify'
import { Type } from '../../core/schema.ts'
import type { AnyRow } from '../../db/resource.ts'
import { actionRoute } from '../../http/items/action.ts'
import { bodyOf } from '../../http/items/item.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { write } from '../../http/items/write.ts'
import { createSchema, itemSchema } from '../../http/schemas.ts'
import { qrCodeRoute } from './qr-code.ts'
import { arrive, createVisit, endVisit } from './queries.ts'
import { type Visit, visits } from './schema.ts'

const VisitCreate = createSchema(visits)
const item = itemSchema(visits)
const pin = Type.Optional(Type.String({ description: 'The PIN, in this answer only.', examples: ['73019264'] }))
const VisitMade = Type.Object({ ...item.properties, pin }, { ...item, properties: { ...item.properties, pin } })

export function visitRoutes(app: FastifyInstance): void {
  resourceRoutes(app, visits, { operations: ['list', 'get'] })
  app.post(
    '/api/v1/visits',
    {
      config: {
        permission: 'visits:write',
        doc: {
          tag: visits.plural,
          operationId: 'createVisit',
          summary: 'Create a visit',
          description:
            'Makes what lets the visitor in for that time, at these places: a credential and a grant for each place. A PIN is in this answer and nowhere else; a QR code is an image of its own.',
          body: { name: 'VisitCreate', schema: VisitCreate },
          success: { status: 201, name: 'VisitMade', schema: VisitMade },
          errors: [
            'VALIDATION_ERROR',
            'CONFLICT',
            'IDEMPOTENCY_IN_PROGRESS',
            'IDEMPOTENCY_KEY_REUSED',
            'UNSUPPORTED_MEDIA_TYPE',
            'PAYLOAD_TOO_LARGE',
          ],
          hasEtag: true,
        },
      },
      schema: { body: VisitCreate },
    },
    async (request, reply) =>
      write(request, reply, async (tx) => {
        const { row, pin } = await createVisit(tx, bodyOf(request) as AnyRow, request.scope)
        const made = { msg: 'Created visit', status: 201 as const, location: `/api/v1/visits/${row.id}`, data: row }
        return pin === undefined ? made : { ...made, msg: 'Created visit; its PIN is shown this once', secret: { pin } }
      }),
  )
  qrCodeRoute(app)
  actionRoute<Visit>(app, visits, {
    verb: 'arrive',
    summary: 'Note that a visitor came',
    description: 'Of a visit that is planned.',
    permission: 'visits:receive',
    run: async (tx, row) => ({ msg: 'The visitor has arrived', data: await arrive(tx, row) }),
  })
  actionRoute<Visit>(app, visits, {
    verb: 'leave',
    summary: 'Note that a visitor left',
    description: 'Ends the credential and the grants of the visit at once.',
    permission: 'visits:receive',
    run: async (tx, row) => ({ msg: 'The visitor has left', data: await endVisit(tx, row, 'left_at') }),
  })
  actionRoute<Visit>(app, visits, {
    verb: 'cancel',
    summary: 'Call off a visit',
    description: 'Of a visit that is planned. Ends its credential and grants at once.',
    run: async (tx, row) => ({ msg: 'Called off visit', data: await endVisit(tx, row, 'cancelled_at') }),
  })
}

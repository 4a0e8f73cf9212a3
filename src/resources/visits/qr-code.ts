import type { FastifyInstance } from 'fastify'
import { AppError } from '../../core/errors.ts'
import { Type } from '../../core/schema.ts'
import { getRow } from '../../db/rows.ts'
import { reading } from '../../http/context.ts'
import { idOf } from '../../http/items/item.ts'
import { NoBody } from '../../http/schemas.ts'
import { credentials } from '../credentials/schema.ts'
import { codeOf } from './code.ts'
import { visits } from './schema.ts'

const VisitQrCode = Type.Object(
  {
    svg: Type.String({ description: 'The code as SVG.' }),
    png: Type.String({ description: 'The same as PNG, as a data URL.' }),
  },
  { additionalProperties: false },
)
const example = {
  svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 33 33">…</svg>',
  png: 'data:image/png;base64,iVBORw0KGgo…',
}

/** Showing it is giving the way in: a POST, for whoever may make visits, not a look for whoever may read them. */
export function qrCodeRoute(app: FastifyInstance): void {
  app.post(
    '/api/v1/visits/:id/qr-code',
    {
      config: {
        permission: 'visits:write',
        doc: {
          tag: visits.plural,
          operationId: 'showVisitQrCode',
          summary: 'Show the QR code of a visit',
          description: 'As SVG and as PNG. Of a visit that has one and is not over (409).',
          success: { status: 200, name: 'VisitQrCode', schema: VisitQrCode, example },
          errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'INVALID_STATE'],
          isRepeatable: false,
        },
      },
      schema: { body: NoBody },
    },
    async (request, reply) => {
      const visit = await getRow(reading(request), visits, idOf(request), request.scope)
      const isOpen = visit.status === 'planned' || visit.status === 'arrived'
      if (visit.credential_type !== 'qr' || visit.credential_id === null || !isOpen)
        throw new AppError('INVALID_STATE', 'This visit has no QR code, or is over', { reason: 'visit.no_code' })
      const { engine, org } = reading(request)
      const credential = await getRow(reading(request), credentials, visit.credential_id, 'all')
      // Whoever may invite is shown what lets a visitor in, and nobody else's way in.
      if (credential.individual_id !== visit.visitor_id)
        throw new AppError('INVALID_STATE', 'The credential of this visit is not its visitor’s any more', {
          reason: 'visit.no_code',
        })
      const { status_type } = credential
      if (status_type !== 'pending' && status_type !== 'active')
        throw new AppError('INVALID_STATE', `The code of this visit opens nothing: its credential is ${status_type}`, {
          reason: 'visit.code_ended',
        })
      if (credential.match_key === null)
        throw new AppError(
          'INVALID_STATE',
          'The credential of this visit was given a number in place of its code, and that was taken away: give it ' +
            'a number, or invite the visitor anew',
          { reason: 'visit.no_code' },
        )
      const code = await codeOf(engine, org, credential)
      if (code === undefined)
        throw new AppError(
          'INVALID_STATE',
          'The code of this visit was made with a key that is lost, and cannot be shown again: invite the visitor anew',
          { reason: 'visit.code_lost' },
        )
      const { toDataURL, toString: toText } = await import('qrcode')
      const data = { svg: await toText(code, { type: 'svg' }), png: await toDataURL(code, { width: 400 }) }
      return reply.header('cache-control', 'no-store').send({ msg: 'The QR code of the visit', data })
    },
  )
}

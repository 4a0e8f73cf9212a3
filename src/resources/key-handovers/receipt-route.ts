import type { FastifyInstance } from 'fastify'
import { getSeen } from '../../db/rows.ts'
import { languageOf } from '../../http/answers/language.ts'
import { reading } from '../../http/context.ts'
import { idOf } from '../../http/items/item.ts'
import { pdfOf } from '../../http/print/form.ts'
import { signalOf } from '../../http/signal.ts'
import { receiptOf } from './receipt.ts'
import { keyHandovers } from './schema.ts'

const TYPE = 'application/pdf'

export function receiptRoute(app: FastifyInstance): void {
  app.get(
    `/api/v1/${keyHandovers.noun}/:id/receipt`,
    {
      config: {
        permission: 'keys:read',
        doc: {
          tag: keyHandovers.plural,
          operationId: 'getKeyReceipt',
          summary: 'Get a key receipt as PDF',
          description:
            'A page to print and sign: the organization, who was given which keys, when, by whom, until when and for ' +
            'what deposit, how each came back, and lines for signatures. The keys that were issued together stand ' +
            'on one receipt. In English or German, by `Accept-Language`.',
          success: { status: 200, description: 'The receipt.', files: { [TYPE]: { example: '%PDF-1.3 …' } } },
          errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
        },
      },
    },
    async (request, reply) => {
      const handle = reading(request)
      const entry = await getSeen(handle, keyHandovers, idOf(request), request.scope)
      const { scope, caller } = request
      const form = await receiptOf(handle, entry, { scope, rights: caller.rights, language: languageOf(request) })
      const bytes = await pdfOf(form, signalOf(request))
      return reply
        .header('content-type', TYPE)
        .header('content-disposition', `inline; filename="key-receipt-${entry.receipt_id}.pdf"`)
        .header('cache-control', 'no-store')
        .header('vary', 'accept-language')
        .send(bytes)
    },
  )
}

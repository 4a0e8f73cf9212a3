import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ReviewReport } from '../../audit/review-report.ts'
import { Type } from '../../core/schema.ts'
import { placesOf } from '../../db/places.ts'
import { getSeen } from '../../db/rows.ts'
import { languageOf } from '../../http/answers/language.ts'
import { reading } from '../../http/context.ts'
import { idOf } from '../../http/items/item.ts'
import { pdfOf } from '../../http/print/form.ts'
import { signalOf } from '../../http/signal.ts'
import { reportFor } from './evidence.ts'
import { printedReport } from './printed.ts'
import { accessReviews } from './schema.ts'

const PDF = 'application/pdf'
const said = (description: string, example: unknown) => Type.String({ description, examples: [example] })
const unsaid = (description: string, example: unknown) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: [example] })
const at = '2027-03-31T08:30:00.000Z'

const Report = Type.Object(
  {
    format: said('What it is.', 'gatehouse access review 1'),
    review: Type.Object(
      {
        organization_id: said('The organization.', '01997d2a-4c00-7000-8000-000000000001'),
        organization: said('What it was called then.', 'Example Ltd'),
        id: said('The review.', '01997d2a-4c00-7000-8000-000000000001'),
        name: said('What it is called.', 'Main building, spring 2027'),
        place: said('Where, with all above it.', 'Zürich / Main building'),
        due_on: said('Until when it was to be done.', '2027-03-31'),
        reviewer: unsaid('Who was to go through it.', 'Ada Lovelace'),
        started_at: said('As of when.', at),
        started_by: said('By whom.', 'Ada Lovelace'),
        closed_at: said('When it was closed.', at),
        closed_by: said('By whom.', 'Ada Lovelace'),
      },
      { additionalProperties: false, description: 'What was gone through.' },
    ),
    lines: Type.Array(
      Type.Object(
        {
          hash: said(
            'SHA-256 of the salt and what follows; the signature covers it.',
            'b1946ac92492d2347c6235b4d2611184',
          ),
          is_erased: Type.Optional(
            Type.Boolean({ description: 'The person was anonymised since: only the hash is left.', examples: [true] }),
          ),
          salt: Type.Optional(said('Goes when the person is anonymised.', '5f4dcc3b5aa765d61d8327deb882cf99')),
          display_name: Type.Optional(said('Who.', 'Ada Lovelace')),
          means: Type.Optional(said('By what.', 'grant')),
          what: Type.Optional(said('The place, group or key.', 'Main building')),
          doors: Type.Optional(Type.Integer({ description: 'How many doors it opened.', examples: [12] })),
          decision: Type.Optional(said('What was decided.', 'confirmed')),
          decided_at: Type.Optional(unsaid('When.', at)),
          decided_by: Type.Optional(unsaid('By whom.', 'Ada Lovelace')),
          note: Type.Optional(unsaid('What they said to it.', null)),
          is_ended: Type.Optional(
            Type.Boolean({
              description:
                'Whether it was over when the review was closed: a key that was revoked may still have been out.',
              examples: [false],
            }),
          ),
        },
        { additionalProperties: false },
      ),
      { description: 'Every line, in the order that was signed.' },
    ),
    signature: Type.Object(
      {
        signed_at: said('When.', at),
        key_id: said('With which key of the audit log.', '9d2a4c0070008000'),
        signature: said('Ed25519, base64.', 'MEUCIQ…'),
      },
      { additionalProperties: false, description: 'Of the review and the hashes of its lines.' },
    ),
  },
  { additionalProperties: false },
)

/** The evidence of a closed review: to check, and to print. */
export function reportRoutes(app: FastifyInstance): void {
  const report = async (request: FastifyRequest): Promise<ReviewReport> => {
    const handle = reading(request)
    return reportFor(handle, await getSeen(handle, accessReviews, idOf(request), request.scope))
  }
  const file = (request: FastifyRequest, suffix: string) =>
    `attachment; filename="access-review-${idOf(request)}.${suffix}"`
  app.get(
    `/api/v1/${accessReviews.noun}/:id/report`,
    {
      config: {
        permission: 'access-reviews:read',
        doc: {
          tag: accessReviews.plural,
          operationId: 'getAccessReviewReport',
          summary: 'Get the signed report of an access review',
          description:
            'Who could open what, and what was decided by whom, signed with the key of the audit log when the review ' +
            'was closed. Keep the answer: `audit verify-report FILE` tells on any machine whether it is as it was ' +
            'signed. Of a review that is not closed there is none (404).',
          success: { status: 200, name: 'AccessReviewReport', schema: Report },
          errors: ['NOT_FOUND'],
        },
      },
    },
    async (request, reply) => {
      const data = await report(request)
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', file(request, 'json'))
        .send({ msg: 'Retrieved report of access review', data })
    },
  )
  app.get(
    `/api/v1/${accessReviews.noun}/:id/report/pdf`,
    {
      config: {
        permission: 'access-reviews:read',
        doc: {
          tag: accessReviews.plural,
          operationId: 'getAccessReviewReportAsPdf',
          summary: 'Get the report of an access review as PDF',
          description:
            'The same to print and file, with the signature on it. In English or German, by `Accept-Language`.',
          success: { status: 200, description: 'The report.', files: { [PDF]: { example: '%PDF-1.3 …' } } },
          errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
        },
      },
    },
    async (request, reply) => {
      const { organizationZone } = await placesOf(reading(request))
      const bytes = await pdfOf(
        printedReport(await report(request), languageOf(request), organizationZone),
        signalOf(request),
      )
      return reply
        .header('content-type', PDF)
        .header('content-disposition', file(request, 'pdf'))
        .header('cache-control', 'no-store')
        .header('vary', 'accept-language')
        .send(bytes)
    },
  )
}

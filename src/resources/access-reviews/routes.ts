import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from '../../core/schema.ts'
import type { Tx } from '../../db/change.ts'
import type { Item } from '../../db/resource.ts'
import { actionRoute } from '../../http/items/action.ts'
import { bodyIfAny } from '../../http/items/item.ts'
import { resourceRoutes } from '../../http/items/resource.ts'
import { addMayRevoke, decide, reopen } from './decisions.ts'
import { close } from './evidence.ts'
import { cancel, keepStarted, prepareReview, start } from './queries.ts'
import { reportRoutes } from './report-routes.ts'
import { accessReviewLines, accessReviews } from './schema.ts'

const Note = Type.Object(
  {
    note: Type.Optional(
      Type.String({ maxLength: 2000, description: 'What you say to it.', examples: ['Left the project in May'] }),
    ),
  },
  { additionalProperties: false },
)
const body = { name: 'AccessReviewStep', schema: Note, required: false }
const noteOf = (request: FastifyRequest): string | null => bodyIfAny(request, Note).note ?? null

async function shown(tx: Tx, { caller }: FastifyRequest, decided: Promise<Item>): Promise<Item> {
  const row = { ...(await decided) }
  await addMayRevoke(tx, [row], caller)
  return row
}

export function accessReviewRoutes(app: FastifyInstance): void {
  resourceRoutes(app, accessReviews, {
    prepare: prepareReview,
    beforeDelete: keepStarted,
    errors: { patch: ['INVALID_STATE'], delete: ['INVALID_STATE'] },
  })
  actionRoute(app, accessReviews, {
    verb: 'start',
    summary: 'Start an access review',
    description:
      'Takes down who may open what there now, one line for each way in of each person. For whoever may also see who ' +
      'can open the doors there.',
    run: async (tx, row) => ({ msg: 'Started access review', data: await start(tx, row) }),
  })
  actionRoute(app, accessReviews, {
    verb: 'close',
    summary: 'Close an access review',
    description: 'Signs what was decided; from then on there is a report. Refused while a line is open (409).',
    run: async (tx, row) => ({ msg: 'Closed access review', data: await close(tx, row) }),
  })
  actionRoute(app, accessReviews, {
    verb: 'cancel',
    summary: 'Cancel an access review',
    description: 'It ends without a report; what was revoked stays revoked.',
    run: async (tx, row) => ({ msg: 'Cancelled access review', data: await cancel(tx, row) }),
  })
  resourceRoutes(app, accessReviewLines, { operations: ['list', 'get'], decorate: addMayRevoke })
  actionRoute(app, accessReviewLines, {
    verb: 'confirm',
    summary: 'Confirm a line of an access review',
    description: 'They still need it. A line that was revoked cannot be confirmed (409).',
    body,
    run: async (tx, row, request) => ({
      msg: 'Confirmed access review line',
      data: await shown(tx, request, decide(tx, row, 'confirmed', noteOf(request))),
    }),
  })
  actionRoute(app, accessReviewLines, {
    verb: 'revoke',
    summary: 'Revoke a line of an access review',
    description:
      'Revokes the grant or ends the membership, with your own right to do so (403 without). A key stays in their ' +
      'hands until it is given back: `is_ended` tells. With `dry_run` it says who would lose which doors.',
    body,
    run: async (tx, row, request) => ({
      msg: 'Revoked access review line',
      data: await shown(tx, request, decide(tx, row, 'revoked', noteOf(request))),
    }),
  })
  actionRoute(app, accessReviewLines, {
    verb: 'reopen',
    summary: 'Decide a line of an access review again',
    description: 'Takes a confirmation back. What was revoked stays revoked (409).',
    run: async (tx, row, request) => ({
      msg: 'Reopened access review line',
      data: await shown(tx, request, reopen(tx, row)),
    }),
  })
  reportRoutes(app)
}

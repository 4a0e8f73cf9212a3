import type { FastifyInstance } from 'fastify'
import { Type } from '../../core/schema.ts'
import { feedParameterDocs, limitDoc } from '../../http/feeds/parameters.ts'
import { FeedMeta, readFeed } from '../../http/feeds/read.ts'
import { streamRoute } from '../../http/feeds/stream-route.ts'
import { type ChangeItem, changesFeed } from '../../live/changes/feed.ts'

const PATH = '/api/v1/changes'
const TAG = 'changes'

const Change = Type.Object({
  sequence: Type.Integer({
    description: 'Counts the changes of the organization, in the order in which they were made.',
  }),
  id: Type.String({ format: 'uuid', description: 'Identifier (UUIDv7), the same as of the entry in the audit log.' }),
  type: Type.String({ description: 'What happened: the noun of the path in the singular, and a verb.' }),
  occurred_at: Type.String({ format: 'date-time', description: 'When it happened.' }),
  resource: Type.String({ description: 'The kind of item, as in its path.' }),
  resource_id: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', description: 'The item.' }),
  changed: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: Type.String(),
    description: 'Names of the fields that changed; null where the item was created or deleted.',
  }),
  data: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description:
      'The item after the change, or as it last was where it was deleted, as far as you may see it. Null: it is ' +
      'outside what you may see now, was erased, or nothing of it was recorded.',
  }),
})

const example: ChangeItem = {
  sequence: 42,
  id: '01997d2a-4c00-7000-8000-000000000001',
  type: 'location.updated',
  occurred_at: '2026-05-04T08:30:00.000Z',
  resource: 'locations',
  resource_id: '01997d2a-4c00-7000-8000-000000000002',
  changed: ['name', 'updated_at', 'version'],
  data: { id: '01997d2a-4c00-7000-8000-000000000002', name: 'Zürich West', version: 2 },
}

export function changeRoutes(app: FastifyInstance): void {
  app.get(
    PATH,
    {
      config: {
        permission: changesFeed.permission,
        doc: {
          tag: TAG,
          operationId: 'listChanges',
          summary: 'List changes',
          description:
            'What was created, changed and deleted, and what the clock alone changed (`credential.expired`, ' +
            '`access-grant.begun`), in the order in which it was committed, as far as you may see it. Keep ' +
            '`meta.last` and give it as `after` to go on: nothing is left out, and nothing comes twice.',
          parameters: [...feedParameterDocs(changesFeed), limitDoc],
          success: {
            status: 200,
            description: 'Changes, oldest first.',
            msg: 'Retrieved 1 change',
            schema: Type.Array(Change),
            example: [example],
            meta: { name: 'FeedMeta', schema: FeedMeta, example: { after: 41, last: 42, has_more: false } },
          },
          errors: ['VALIDATION_ERROR'],
        },
      },
    },
    async (request, reply) => {
      const { data, meta } = await readFeed(request, changesFeed)
      reply.header('cache-control', 'no-store')
      return { msg: `Retrieved ${data.length} ${data.length === 1 ? 'change' : 'changes'}`, data, meta }
    },
  )
  streamRoute(app, PATH, changesFeed, { tag: TAG, example })
}

import type { FastifyInstance } from 'fastify'
import { cachedGet } from '../../http/answers/cached-get.ts'
import { overviewOf } from './queries.ts'
import { Overview, overviewExample } from './schema.ts'

export function overviewRoutes(app: FastifyInstance): void {
  app.get(
    '/api/v1/overview',
    {
      config: {
        permission: 'self',
        doc: {
          tag: 'overview',
          operationId: 'getOverview',
          summary: 'Get the overview',
          description:
            'How many there are of everything that you may see, by state where there are states, in one call. Each ' +
            'family is counted as its list counts; a family that you may not read is null, and one that you see in ' +
            'some places only says in which (`limited_to`).',
          success: { status: 200, name: 'Overview', schema: Overview, example: overviewExample },
        },
      },
    },
    cachedGet(
      async ({ caller }, handle) => ({ msg: 'Retrieved the overview', data: await overviewOf(handle, caller.rights) }),
      false,
    ),
  )
}

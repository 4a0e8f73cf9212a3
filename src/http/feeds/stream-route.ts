import type { FastifyInstance } from 'fastify'
import type { Feed, FeedItem } from '../../live/feed.ts'
import { feedParameterDocs } from './parameters.ts'

/** `GET <path>/stream`: the feed by server-sent events. */
export function streamRoute(
  app: FastifyInstance,
  path: string,
  feed: Feed,
  { tag, example }: { tag: string; example: FeedItem },
): void {
  const operationId = `stream${tag.replace(/(?:^|\s)(\w)/g, (_, letter: string) => letter.toUpperCase())}`
  app.get(
    `${path}/stream`,
    {
      config: {
        permission: feed.permission,
        doc: {
          tag,
          operationId,
          summary: `Stream ${tag}`,
          description:
            'Server-sent events (`EventSource`): each entry as it comes, its `id` being its sequence. It ' +
            'begins after `Last-Event-ID`, which an `EventSource` sends by itself when it comes again, else ' +
            'after `after`, else with what comes next; entries are neither left out nor repeated. An event ' +
            '`cursor` comes first, and again where nothing in between is for you to see: it says how far was read ' +
            '(`sequence`) and, as `meta` of the feed does, what you do not see (`limited_to`, ' +
            '`missing_permissions`; absent where you see all), anew when your role changes. A comment comes at ' +
            'least every 10 s. An event `closed` with its reason is the last one: the credential or the ' +
            'permission is gone, the service stops, or an hour is over. At most 10 streams are open at once with ' +
            'one credential, and a reader that takes nothing is cut off.',
          parameters: feedParameterDocs(feed),
          success: {
            status: 200,
            description: 'Entries, one event each, until it is closed.',
            stream: { example: `id: ${example.sequence}\ndata: ${JSON.stringify(example)}\n\n` },
          },
          errors: ['VALIDATION_ERROR', 'RATE_LIMITED'],
        },
      },
    },
    (request, reply) => app.house.streams.send(request, reply, feed),
  )
}

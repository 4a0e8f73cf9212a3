import type { FastifyRequest } from 'fastify'
import { Type } from '../../core/schema.ts'
import { perEngine } from '../../db/kept/per-engine.ts'
import { type Resources, resourcesOf } from '../../db/resources.ts'
import { canHave, type Feed, type FeedQuery, typeHint } from '../../live/feed.ts'
import type { FeedName } from '../../live/news.ts'
import { fault, integerParameter, type Parameter, parseParameters } from '../../query/parameters.ts'
import { rawQueryOf } from '../address.ts'
import { UUID } from '../items/item.ts'
import type { RouteDoc } from '../route-doc.ts'

const MAX_WORDS = 50
const MAX_LIMIT = 100
const PATTERN = /^[a-z*][a-z0-9_.*-]{0,99}$/

/** Comma-separated and repeatable: any of them. */
const words = (
  isOne: (word: string) => boolean,
  expected: string,
  hint = (_odd: string) => '',
): Parameter<string[]> => ({
  isRepeatable: true,
  parse(name, value, previous = []) {
    const all = [...previous, ...value.split(',').map((word) => word.toLowerCase())]
    if (all.length > MAX_WORDS) throw fault(name, 'param.list_too_long', value, `at most ${MAX_WORDS} of them`)
    const odd = all.find((word) => !isOne(word))
    if (odd !== undefined) throw fault(name, 'param.not_offered', odd, `${expected}${hint(odd)}`)
    return all
  },
})

const sequence = integerParameter(0, Number.MAX_SAFE_INTEGER)

const made = perEngine(() => new WeakMap<Feed, ReturnType<typeof parametersOf>>())

/** Made once: what a feed can have does not change. */
function ofFeed({ server }: FastifyRequest, feed: Feed) {
  const { engine } = server.house
  const parameters = made(engine).get(feed) ?? parametersOf(feed, resourcesOf(engine))
  made(engine).set(feed, parameters)
  return parameters
}

const EXAMPLES: Record<FeedName, string> = { changes: 'key.issued', 'access-events': 'door.forced' }

const parametersOf = (feed: Feed, resources: Resources) => ({
  after: sequence,
  type: words(
    // One that nothing has would be waited for in vain.
    (type) => PATTERN.test(type) && canHave(feed, resources, type),
    `types that this feed has, such as ${EXAMPLES[feed.name]}, or with * for any characters, separated by commas`,
    (type) => typeHint([feed], resources, type),
  ),
  ...Object.fromEntries(
    Object.entries(feed.filters).map(([name, kind]) => [
      name,
      kind === 'id'
        ? words((word) => UUID.test(word), 'ids (UUIDs), separated by commas')
        : words(
            (word) => kind(resources).includes(word),
            `one or more of ${kind(resources).join(', ')}, separated by commas`,
          ),
    ]),
  ),
})

/** What a reader of a feed asks for; `after` is absent where it did not say. */
type Asked = Omit<FeedQuery, 'after'> & { readonly after: number | undefined }

function asked({ after, limit = MAX_LIMIT, type, ...filters }: Values): Asked {
  return { after, limit, ...(type ? { types: type } : {}), filters: filters as Record<string, string[]> }
}

type Values = { after?: number; limit?: number; type?: string[] } & Record<string, unknown>

export const readQuery = (request: FastifyRequest, feed: Feed): Asked =>
  asked(
    parseParameters(rawQueryOf(request), {
      ...ofFeed(request, feed),
      limit: integerParameter(1, feed.maxLimit ?? MAX_LIMIT),
    }),
  )

/** A client that was cut off says where it was by the header; that is newer than what its address says. */
export function streamQuery(request: FastifyRequest, feed: Feed): Asked {
  const query = asked(parseParameters(rawQueryOf(request), ofFeed(request, feed)))
  const { 'last-event-id': last } = request.headers
  return last === undefined || last === ''
    ? query
    : { ...query, after: sequence.parse('Last-Event-ID', String(last), undefined) }
}

const list = Type.String()

export const feedParameterDocs = (feed: Feed): NonNullable<RouteDoc['parameters']> => [
  {
    name: 'after',
    description: 'Only what came after the entry with this sequence; 0: from the beginning.',
    schema: Type.Integer({ minimum: 0 }),
    example: 0,
  },
  {
    name: 'type',
    description: 'Only these types, by comma; `*` stands for any characters.',
    schema: list,
    example: 'access-grant.*,key.issued',
  },
  ...Object.keys(feed.filters).map((name) => ({
    name,
    description: `Only entries with one of these as ${name}, by comma.`,
    schema: list,
  })),
]

export const limitDoc: NonNullable<RouteDoc['parameters']>[number] = {
  name: 'limit',
  description: 'How many entries at most.',
  schema: Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: MAX_LIMIT }),
  example: 10,
}

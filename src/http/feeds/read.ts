import type { FastifyRequest } from 'fastify'
import { Type } from '../../core/schema.ts'
import type { Feed, FeedItem } from '../../live/feed.ts'
import { reading } from '../context.ts'
import { readQuery } from './parameters.ts'
import { limitsOfReader, type ReaderLimits, readerLimits } from './reader-limits.ts'

/** What is looked for may be rare: so often is looked further before the answer says how far that was. */
const MAX_LOOKS = 20

export interface FeedAnswer<Item extends FeedItem> {
  data: Item[]
  meta: ReaderLimits & { after: number; last: number; has_more: boolean }
}

export const FeedMeta = Type.Object({
  after: Type.Integer({ description: 'Where it was asked to begin.' }),
  last: Type.Integer({
    description: 'How far was read: give it as `after` to go on. Some entries before it may not be for you to see.',
  }),
  has_more: Type.Boolean({ description: 'Whether there is more after that.' }),
  ...readerLimits,
})

/** A page of a feed, as the caller sees it. */
export async function readFeed<Item extends FeedItem>(
  request: FastifyRequest,
  feed: Feed<Item>,
): Promise<FeedAnswer<Item>> {
  const { after = 0, ...query } = readQuery(request, feed)
  const handle = reading(request)
  const { rights } = request.caller
  const data: Item[] = []
  let last = after
  for (let look = 0; look < MAX_LOOKS && data.length < query.limit; look++) {
    const page = await feed.read(handle, rights, { ...query, after: last, limit: query.limit - data.length })
    data.push(...page.items)
    if (page.last === last) break
    last = page.last
  }
  const has_more = last < (await feed.bounds(handle)).last
  return { data, meta: { after, last, has_more, ...(await limitsOfReader(handle, feed, rights)) } }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from '../../core/schema.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { Item } from '../../db/resource.ts'
import { sql } from '../../db/sql.ts'
import { rawQueryOf } from '../../http/address.ts'
import { readFeed } from '../../http/feeds/read.ts'
import type { ListFilter } from '../../http/lists/open.ts'
import type { RouteDoc } from '../../http/route-doc.ts'
import { stretchesOf } from '../../live/counted/stretches.ts'
import { accessEventsFeed } from '../../live/events-feed.ts'
import { judgeEvents } from '../../live/verdicts.ts'
import { eachPair } from '../../query/pairs.ts'
import type { ListQuery } from '../../query/parse.ts'

export const feedDocs: NonNullable<RouteDoc['parameters']> = [
  {
    name: 'after',
    description:
      'Reads as a feed: what was stored after the event with this sequence, oldest first; 0: from the beginning, ' +
      'which comes after all that is not kept any more (what is kept longer of before is in the list). Beside it ' +
      '`limit` (up to 1,000), `type` (several by comma, `*` for any characters) and ids by comma in ' +
      '`access_point_id`, `building_id`, `individual_id` and `access_control_system_id` are taken, and nothing ' +
      'else. `meta` is {after, last, has_more}: give `last` as `after` to go on. Where something after it is not ' +
      'kept any more, it is 400 with the reason `feed.expired`.',
    schema: Type.Integer({ minimum: 0 }),
  },
]

const isFeed = (request: FastifyRequest): boolean =>
  request.routeOptions.url?.endsWith('/access-events') === true && hasParameter(rawQueryOf(request), 'after')

/** However it is written. What cannot be read is told where all of it is. */
function hasParameter(rawQuery: string, name: string): boolean {
  let isThere = false
  try {
    eachPair(rawQuery, (key) => {
      isThere ||= key === name
    })
  } catch {}
  return isThere
}

/** The same path, read on from where one was. */
export async function answerAsFeed(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  if (!isFeed(request)) return undefined
  const { data, meta } = await readFeed(request, accessEventsFeed)
  const msg = `Retrieved ${data.length} access ${data.length === 1 ? 'event' : 'events'}`
  return reply.header('cache-control', 'no-store').send({ msg, data, meta })
}

/**
 * Whoever asks by verdict is answered when all have theirs. What is refused is refused before. Whoever asks by time is
 * led there.
 */
export async function whereToLook(
  handle: OrgHandle,
  query: Pick<ListQuery, 'filters' | 'order' | 'extra'>,
): Promise<ListFilter> {
  // What they are counted by is among the parameters of its own.
  if (JSON.stringify([query.filters, query.order, query.extra]).includes('"verdict')) await judgeEvents(handle)
  return { where: [], ...(await stretchesOf(handle, query.filters)) }
}

/** At latest when it is read. */
export async function addVerdicts(handle: OrgHandle, rows: Array<Item & { sequence: number }>): Promise<void> {
  const pending = rows.filter(({ verdict }) => verdict === null)
  if (pending.length === 0) return
  const sequences = pending.map(({ sequence }) => sequence)
  const [from, through] = [Math.min(...sequences), Math.max(...sequences)]
  await judgeEvents(handle, { from, through })
  const found = await handle.all<{ sequence: number; verdict: string; verdict_reason: string | null }>(sql`
    select t.sequence, t.verdict, t.verdict_reason from access_events t where t.org = :org
      and t.sequence >= ${from} and t.sequence <= ${through}`)
  const verdicts = new Map(found.map((row) => [row.sequence, row]))
  for (const row of pending) {
    const judged = verdicts.get(row.sequence)
    row.verdict = judged?.verdict
    if ('verdict_reason' in row) row.verdict_reason = judged?.verdict_reason
  }
}

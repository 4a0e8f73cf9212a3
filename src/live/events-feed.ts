import { eventTypes } from '../core/doors/events.ts'
import type { Rights } from '../core/rights.ts'
import { withKeptIds } from '../db/kept/kept-ids.ts'
import type { OrgHandle } from '../db/org.ts'
import { placesOfScope } from '../db/scope.ts'
import { raw, render, type Sql, sql } from '../db/sql.ts'
import { checkCursor, type Feed, type FeedItem, type FeedPage, type FeedQuery, isOfTypes } from './feed.ts'
import { eventColumns, isSeenFrom, type ShownEvent } from './intake/event-row.ts'
import { judgeEvents } from './verdicts.ts'

type Item = ShownEvent & FeedItem

/** Conditions that the index serves: the organization, and both ends of what is read. */
const SERVED = 3

/** Where the feed begins and ends. What may be gone of it lies before its beginning. */
async function bounds(handle: OrgHandle): Promise<{ first: number; last: number }> {
  const head = await handle.one<{ sequence: number; gone_through: number }>(
    sql`select t.sequence, t.gone_through from live_heads t where t.org = :org`,
  )
  return { first: (head?.gone_through ?? 0) + 1, last: head?.sequence ?? 0 }
}

async function read(
  handle: OrgHandle,
  rights: Rights,
  { after, limit, types, filters = {} }: FeedQuery,
): Promise<FeedPage<Item>> {
  const scope = rights.scopeOf('access-events:read')
  const known = await bounds(handle)
  checkCursor(after, known)
  // The beginning is where nothing is gone: from what is kept longer of before, nobody could read on.
  const from = Math.max(after, known.first - 1)
  if (scope === undefined || from === known.last) return { items: [], last: from }
  const conditions: Sql[] = []
  if (scope !== 'all') conditions.push(await withKeptIds(handle, isSeenFrom(await placesOfScope(handle, scope))))
  for (const [name, values] of Object.entries(filters))
    conditions.push(handle.dialect.inList(`t.${name}`, values, 'uuid'))
  // One statement reads as far as it says; what is not for the reader is passed over, and counted as read.
  const { text, values } = render(sql`
    select ${raw(eventColumns)} from access_events t
    where t.org = :org and t.sequence > ${from}
    and t.sequence <= ${known.last} ${raw(conditions.length > 0 ? 'and ' : '')}${joined(conditions)}
    order by t.sequence limit ${limit}`)
  const rows = await handle.query<Item>(text, values, conditions.length === 0 ? SERVED : undefined)
  const last = rows.length < limit ? known.last : (rows.at(-1)?.sequence ?? known.last)
  const items = rows.filter((row) => isOfTypes(row.type, types))
  return { items: await judged(handle, items), last }
}

const joined = (conditions: readonly Sql[]): Sql =>
  conditions.reduce((all, one, index) => (index === 0 ? one : sql`${all} and ${one}`), sql``)

/** Nothing is shown without its verdict. */
async function judged(handle: OrgHandle, items: Item[]): Promise<Item[]> {
  const pending = items.filter(({ verdict }) => verdict === null)
  const [from, through] = [pending[0]?.sequence, pending.at(-1)?.sequence]
  if (from === undefined || through === undefined) return items
  await judgeEvents(handle, { from, through })
  const rows = await handle.all<Pick<Item, 'sequence' | 'verdict' | 'verdict_reason'>>(sql`
    select t.sequence, t.verdict, t.verdict_reason from access_events t where t.org = :org and t.sequence >= ${from}
      and t.sequence <= ${through}`)
  const verdicts = new Map(rows.map((row) => [row.sequence, row]))
  return items.map((item) => ({ ...item, ...verdicts.get(item.sequence) }))
}

/** What happens at the doors, as a feed. */
export const accessEventsFeed: Feed<Item> = {
  name: 'access-events',
  permission: 'access-events:read',
  shownBy: () => ['access-events:read'],
  maxLimit: 1000,
  filters: { access_point_id: 'id', building_id: 'id', individual_id: 'id', access_control_system_id: 'id' },
  types: () => eventTypes,
  bounds,
  read,
}

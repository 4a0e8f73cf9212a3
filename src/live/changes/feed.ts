import { isDeepStrictEqual } from 'node:util'
import { changeVerbs } from '../../core/change-verbs.ts'
import type { Rights, Scope } from '../../core/rights.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow, Resource } from '../../db/resource.ts'
import { type Resources, resourcesOf } from '../../db/resources.ts'
import { subjectOf } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { checkCursor, type Feed, type FeedItem, type FeedPage, type FeedQuery, isOfTypes } from '../feed.ts'
import { permissionFor, type Seen, seenOf, shownState } from './sight.ts'

export interface ChangeItem extends FeedItem {
  /** The noun of the path. */
  readonly resource: string
  readonly resource_id: string | null
  /** Names of the fields that changed; null where the item was created or deleted, or nothing of it was recorded. */
  readonly changed: readonly string[] | null
  /**
   * The item after the change, or as it last was where it was deleted; null: it is no longer to be seen, was erased, or
   * nothing of it was recorded.
   */
  readonly data: AnyRow | null
}

interface Entry {
  sequence: number
  id: string
  occurred_at: string
  action: string
  resource: string
  resource_id: string | null
}

interface Content {
  before: AnyRow | null
  after: AnyRow | null
}

/** Entries looked at in one go: what is looked for may be rare. */
const WINDOW = 1000
const ENTRIES = `select t.sequence, t.id, t.occurred_at, t.action, t.resource, t.resource_id from audit_log t
  where t.org = :org and t.sequence > $1 order by t.sequence limit ${WINDOW}`
/** Conditions that the index serves: the organization and the sequence. */
const SERVED = 2

/** `access_grant.created` as it is told: the noun as in the path. */
export function typeOf(action: string): string {
  const dot = action.indexOf('.')
  return action.slice(0, dot).replaceAll('_', '-') + action.slice(dot)
}

/** Recorded under nouns that are no resource's. */
const OTHER_NOUNS = ['organizations']
const OTHER_SUBJECTS = ['audit_log', 'demo', 'locking_plan']

/** What stands as `resource` in the feed. */
export const nouns = ({ all }: Resources): readonly string[] => [...all.map(({ noun }) => noun), ...OTHER_NOUNS]

const known = new WeakMap<Resources, readonly string[]>()

/** Every type that the feed can have: each noun with every verb. Made once. */
function types(resources: Resources): readonly string[] {
  const all = known.get(resources) ?? allTypes(resources)
  known.set(resources, all)
  return all
}

/** A list is exported, not an item of it. */
function allTypes(resources: Resources): readonly string[] {
  const subjects = new Set([...resources.all.map(subjectOf), ...OTHER_SUBJECTS])
  const ofItems = [...subjects].flatMap((subject) => changeVerbs.map((verb) => typeOf(`${subject}.${verb}`)))
  return [...new Set([...ofItems, ...nouns(resources).map((noun) => `${noun}.exported`)])]
}

/**
 * What was created, changed and deleted, by somebody or by the clock: the audit log's own order, as far as the reader
 * may see it.
 */
export const changesFeed: Feed<ChangeItem> = {
  name: 'changes',
  permission: 'changes:read',
  shownBy: ({ all }) => [...new Set(all.map(permissionFor))],
  filters: { resource: nouns, resource_id: 'id' },
  types,

  async bounds(handle) {
    const row = await handle.one<{ first: number | null; last: number }>(
      sql`select o.audit_sequence as last, (select min(t.sequence) from audit_log t where t.org = :org) as first
          from organizations o where o.key = :org`,
    )
    const last = row?.last ?? 0
    return { first: row?.first ?? last + 1, last }
  },

  async read(handle, rights, query): Promise<FeedPage<ChangeItem>> {
    checkCursor(query.after, await this.bounds(handle))
    const looked = await handle.query<Entry>(ENTRIES, [query.after], SERVED)
    const resources = resourcesOf(handle.engine)
    const asked = looked.filter(
      (entry) => isAskedFor(entry, query) && rights.can(permissionFor(resources.named(entry.resource))),
    )
    const taken = asked.slice(0, query.limit)
    const last = (asked.length > query.limit ? taken : looked).at(-1)?.sequence ?? query.after
    return { items: await shown(handle, rights, taken), last }
  },
}

function isAskedFor({ action, resource, resource_id }: Entry, { types, filters = {} }: FeedQuery): boolean {
  if (!isOfTypes(typeOf(action), types)) return false
  if (filters.resource && !filters.resource.includes(resource)) return false
  return !filters.resource_id || filters.resource_id.includes(resource_id ?? '')
}

/** Those of the entries that the reader may see, with what they see of them. */
async function shown(handle: OrgHandle, rights: Rights, entries: readonly Entry[]): Promise<ChangeItem[]> {
  const contents = await contentsOf(handle, entries)
  const items = new Map<number, ChangeItem>()
  for (const [noun, group] of Map.groupBy(entries, ({ resource }) => resource)) {
    const resource = resourcesOf(handle.engine).named(noun)
    const scope = rights.scopeOf(permissionFor(resource))
    if (scope === undefined) continue
    const states = group.flatMap(({ sequence }) => [
      contents.get(sequence)?.before ?? null,
      contents.get(sequence)?.after ?? null,
    ])
    const seen = await seenOf(handle, resource, scope, states)
    for (const [nth, entry] of group.entries()) {
      const sight = { before: seen[2 * nth] ?? 'nothing', after: seen[2 * nth + 1] ?? 'nothing' }
      const item = itemOf(entry, contents.get(entry.sequence), resource, scope, sight)
      if (item) items.set(entry.sequence, item)
    }
  }
  return entries.flatMap(({ sequence }) => items.get(sequence) ?? [])
}

async function contentsOf(handle: OrgHandle, entries: readonly Entry[]): Promise<Map<number, Content>> {
  if (entries.length === 0) return new Map()
  const ids = entries.map(({ id }) => id)
  const rows = await handle.all<{ sequence: number; content: string | null }>(
    sql`select t.sequence, t.content from audit_log t where t.org = :org
      and ${handle.dialect.inList('t.id', ids, 'uuid')}`,
  )
  return new Map(
    rows.flatMap(({ sequence, content }) =>
      content === null ? [] : [[sequence, JSON.parse(content) as Content] as const],
    ),
  )
}

function itemOf(
  entry: Entry,
  content: Content | undefined,
  of: Resource | undefined,
  scope: Scope,
  sight: { before: Seen; after: Seen },
): ChangeItem | undefined {
  const { sequence, id, occurred_at, action, resource, resource_id } = entry
  const item = { sequence, id, type: typeOf(action), occurred_at, resource, resource_id }
  const { before = null, after = null } = content ?? {}
  const isNothingSeen = sight.before === 'nothing' && sight.after === 'nothing'
  // Where nothing was recorded, or it was erased, nobody can tell where it was: it is for those who see everything.
  if (isNothingSeen) return scope === 'all' ? { ...item, changed: null, data: null } : undefined
  const state = (what: AnyRow | null, seen: Seen): AnyRow | null => {
    if (what === null || seen === 'nothing') return null
    const shown = shownState(of, what, scope, seen)
    // What happened to an item may be recorded without anything of the item: that is no state of it.
    return Object.keys(shown).length === 0 ? null : shown
  }
  const [was, is] = [state(before, sight.before), state(after, sight.after)]
  const changed = was && is && changedIn(was, is)
  // Whoever sees a part of it is not told that the rest has changed.
  if (changed?.length === 0 && sight.before === 'part' && sight.after === 'part') return undefined
  return { ...item, changed, data: after === null ? was : is }
}

const changedIn = (was: AnyRow, is: AnyRow): string[] =>
  Object.keys(is).filter((name) => name in was && !isDeepStrictEqual(was[name], is[name]))

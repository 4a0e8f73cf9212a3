import { allPermissions, type Permission } from '../../core/permissions.ts'
import type { Scope } from '../../core/rights.ts'
import type { RecordType } from '../../db/engine.ts'
import type { OrgHandle } from '../../db/org.ts'
import { type AnyRow, isSeenInPart, type Resource, readPermissionOf } from '../../db/resource.ts'
import { sightOfPast } from '../../db/scope.ts'
import { sql } from '../../db/sql.ts'

/**
 * What has no resource with a permission of its own is told to those who may read the audit log, where all of it
 * stands.
 */
const OTHERWISE: Permission = 'audit-log:read'
const known: ReadonlySet<string> = new Set(allPermissions)

/** The permission that lets somebody read what was recorded of it. */
export function permissionFor(resource: Resource | undefined): Permission {
  const permission = resource && readPermissionOf(resource)
  return permission !== undefined && known.has(permission) ? permission : OTHERWISE
}

/** What stands in records beside the fields of an item, and tells of nothing else. */
const BESIDE: ReadonlySet<string> = new Set(['days_left'])

/** How much of a state of an item somebody sees. */
export type Seen = 'whole' | 'part' | 'nothing'

const types: Readonly<Record<string, RecordType>> = {
  uuid: 'uuid',
  integer: 'integer',
  boolean: 'boolean',
  timestamp: 'timestamp',
}

/**
 * How much is seen of each state that an item was in, whether the item is still there or not: by the same conditions as
 * of a row, on the columns as they were, with places and what hangs on them as they are now, or were last, where they
 * are gone.
 */
export async function seenOf(
  handle: OrgHandle,
  resource: Resource | undefined,
  scope: Scope,
  states: readonly (AnyRow | null)[],
): Promise<Seen[]> {
  if (scope === 'all') return states.map((state) => (state === null ? 'nothing' : 'whole'))
  // What belongs to the organization as a whole is not for a role that is limited to places.
  if (!resource?.place && !resource?.reaches) return states.map(() => 'nothing')
  const columns = columnsOf(resource)
  const rows = states.flatMap((state, nth) => (state === null ? [] : [{ ...pick(state, columns), nth }]))
  if (rows.length === 0) return states.map(() => 'nothing')
  const { managed, seen } = await sightOfPast(handle, resource, scope)
  const found = await handle.all<{ nth: number; managed: number | boolean }>(
    sql`select t.nth, case when ${managed} then 1 else 0 end as managed
        from ${handle.dialect.records(rows, 't', { nth: 'integer', ...columns })} where ${seen}`,
  )
  const judged = new Map<number, Seen>(
    found.map((row) => [Number(row.nth), Number(row.managed) === 1 ? 'whole' : 'part']),
  )
  return states.map((_, nth) => judged.get(nth) ?? 'nothing')
}

const columnsOf = (resource: Resource): Record<string, RecordType> =>
  Object.fromEntries(
    Object.entries(resource.fields)
      .filter(([, { spec }]) => spec.isStored && spec.mode !== 'wo' && spec.type !== 'json')
      .map(([name, { spec }]) => [name, types[spec.type] ?? 'text']),
  )

const pick = (state: AnyRow, columns: Record<string, RecordType>): AnyRow =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, state[name] ?? null]))

/**
 * A state as a reader is shown it. What was worked out for whoever made the change (`decorated`) depended on their
 * rights, and counts of the whole organization are not for those who see a part of it.
 */
export function shownState(resource: Resource | undefined, state: AnyRow, scope: Scope, seen: Seen): AnyRow {
  if (!resource) return state
  const isShown = (name: string): boolean => {
    const spec = resource.fields[name]?.spec
    if (!spec) return BESIDE.has(name)
    if (spec.mode === 'wo' || !(spec.isStored || spec.expression)) return false
    if (scope !== 'all' && spec.countsEverywhere) return false
    return seen === 'whole' || isSeenInPart(resource, name)
  }
  return Object.fromEntries(Object.entries(state).filter(([name]) => isShown(name)))
}

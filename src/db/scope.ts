import type { Scope } from '../core/rights.ts'
import type { Dialect } from './engine.ts'
import type { Resource } from './resource.ts'
import { type Sql, sql } from './sql.ts'

/** The one list filter: row `t` lies in the caller's places. What has no place is outside every limited scope. */
export function inScope(resource: Resource, dialect: Dialect, scope: Exclude<Scope, 'all'>): Sql {
  if (!resource.place) return sql`false`
  const condition = resource.place(
    (column) => dialect.inList(column, scope.buildings, 'uuid'),
    (column) => dialect.inList(column, scope.locations, 'uuid'),
  )
  return sql`(${condition})`
}

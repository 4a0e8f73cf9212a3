import { individualBy, MEANS, type Means } from '../../access/lists/of-places.ts'
import type { Caller } from '../../core/rights.ts'
import { withKeptIds } from '../../db/kept/kept-ids.ts'
import type { OrgHandle } from '../../db/org.ts'
import { placesOfScope } from '../../db/scope.ts'
import { join, raw, sql } from '../../db/sql.ts'
import type { Individual } from './schema.ts'

/**
 * How the people of a page have to do with the places that the caller is limited to; nothing where they are not
 * limited.
 */
export async function decorateMeans(
  handle: OrgHandle,
  rows: Individual[],
  caller: Caller,
  names: readonly string[],
): Promise<void> {
  const scope = caller.rights.scopeOf('individuals:read')
  if (scope === undefined || scope === 'all' || !names.includes('means')) return
  const places = await placesOfScope(handle, scope)
  const ids = rows.map((row) => row.id)
  const parts = MEANS.map(
    (means) => sql`select t.id, ${raw(`'${means}'`)} as means from individuals t
      where t.org = :org and ${handle.dialect.inList('t.id', ids, 'uuid')} and ${individualBy[means](places)}`,
  )
  const found = await handle.all<{ id: string; means: Means }>(await withKeptIds(handle, join(parts, ' union all ')))
  for (const row of rows) row.means = found.filter(({ id }) => id === row.id).map(({ means }) => means)
}

import type { Rights } from '../../core/rights.ts'
import type { AnyRow } from '../../db/resource.ts'

interface Means {
  type: string
  id: string | null
  name: string | null
}

/** Whoever may only see who can open a door sees name, kind and by what kind of means; the rest takes the right to read it. */
export function showTo(rights: Rights, rows: readonly AnyRow[]): void {
  const sees = {
    people: rights.can('individuals:read'),
    grants: rights.can('access-grants:read'),
    credentials: rights.can('credentials:read'),
    keys: rights.can('keys:read'),
  }
  for (const row of rows) {
    if (!sees.people && 'individual_id' in row) row.individual_id = null
    if (!sees.grants && 'grant_id' in row) row.grant_id = null
    if (!(sees.grants && sees.people && sees.keys) && 'path' in row) row.path = null
    for (const means of (row.means ?? []) as Means[]) {
      if (means.type === 'key' ? sees.keys : sees.credentials) continue
      means.id = null
      means.name = null
    }
  }
}

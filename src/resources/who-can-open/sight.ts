import type { Rights } from '../../core/rights.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow } from '../../db/resource.ts'
import { seenOf } from '../../db/scope.ts'
import { credentials } from '../credentials/schema.ts'
import { keys } from '../keys/schema.ts'

interface Means {
  type: string
  id: string | null
  name: string | null
}

/** Whoever may only see who can open a door sees name, kind and by what kind of means; the rest takes the right to read it there. */
export async function showTo(handle: OrgHandle, rights: Rights, rows: readonly AnyRow[]): Promise<void> {
  const means = rows.flatMap((row) => (row.means ?? []) as Means[])
  const isKey = ({ type }: Means): boolean => type === 'key'
  const idsOf = (some: Means[]): string[] => some.flatMap(({ id }) => id ?? [])
  const seen = new Set([
    ...(await seenOf(handle, keys, rights, idsOf(means.filter(isKey)))),
    ...(await seenOf(handle, credentials, rights, idsOf(means.filter((one) => !isKey(one))))),
  ])
  const sees = {
    people: rights.can('individuals:read'),
    grants: rights.can('access-grants:read'),
    keys: rights.can('keys:read'),
  }
  for (const row of rows) {
    if (!sees.people && 'individual_id' in row) row.individual_id = null
    if (!sees.grants && 'grant_id' in row) row.grant_id = null
    if (!(sees.grants && sees.people && sees.keys) && 'path' in row) row.path = null
  }
  for (const one of means) {
    if (one.id !== null && seen.has(one.id)) continue
    one.id = null
    one.name = null
  }
}

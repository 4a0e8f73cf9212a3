import { AppError } from '../../core/errors.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Caller, Rights } from '../../core/rights.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow } from '../../db/resource.ts'
import { seenOf } from '../../db/scope.ts'
import { embedInto } from '../../http/lists/embed.ts'
import { filtersIn } from '../../query/filters.ts'
import type { ListQuery } from '../../query/parse.ts'
import { credentials } from '../credentials/schema.ts'
import { keys } from '../keys/schema.ts'

interface Means {
  type: string
  id: string | null
  name: string | null
}

/** What it takes to see a field: without, it is null. */
const needed: Readonly<Record<string, readonly Permission[]>> = {
  individual_id: ['individuals:read'],
  grant_id: ['access-grants:read'],
  path: ['access-grants:read', 'individuals:read', 'keys:read'],
}

const lacking = (rights: Rights, name: string): Permission | undefined => needed[name]?.find((permission) => !rights.can(permission))

/** What is not seen is neither compared nor sorted by: either would tell it. */
export function refuseUnseen(rights: Rights, { filters, order }: Pick<ListQuery, 'filters' | 'order'>): void {
  for (const { field } of [...filtersIn(filters), ...order]) {
    const permission = lacking(rights, field)
    if (permission === undefined) continue
    const message = `${field}: you may not see it here, so the list is neither filtered nor sorted by it; that needs the permission ${permission}`
    throw new AppError('UNAUTHORIZED', message, { status: 403, reason: 'insufficient_permissions' })
  }
}

/**
 * Whoever may only see who can open a door sees name, kind and by what kind of means; the rest takes the right to read it there. What a
 * row refers to is put into it as it is into the rows of other lists.
 */
export async function showTo(handle: OrgHandle, caller: Caller, rows: AnyRow[], { embeds }: Pick<ListQuery, 'embeds'>): Promise<void> {
  const { rights } = caller
  await embedInto(handle, caller, rows, embeds)
  const hidden = Object.keys(needed).filter((name) => lacking(rights, name) !== undefined)
  for (const row of rows) for (const name of hidden) if (name in row) row[name] = null
  const means = rows.flatMap((row) => (row.means ?? []) as Means[])
  const isKey = ({ type }: Means): boolean => type === 'key'
  const idsOf = (some: Means[]): string[] => some.flatMap(({ id }) => id ?? [])
  const seen = new Set([
    ...(await seenOf(handle, keys, rights, idsOf(means.filter(isKey)))),
    ...(await seenOf(handle, credentials, rights, idsOf(means.filter((one) => !isKey(one))))),
  ])
  for (const one of means) {
    if (one.id !== null && seen.has(one.id)) continue
    one.id = null
    one.name = null
  }
}

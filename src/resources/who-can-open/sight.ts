import { AppError } from '../../core/errors.ts'
import type { Permission } from '../../core/permissions.ts'
import { type Caller, covers, type Rights } from '../../core/rights.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow } from '../../db/resource.ts'
import { seenOf } from '../../db/scope.ts'
import { embedInto } from '../../http/lists/embed.ts'
import { filtersIn } from '../../query/filters.ts'
import type { ListQuery } from '../../query/parse.ts'
import { credentials } from '../credentials/schema.ts'
import { individuals } from '../individuals/schema.ts'
import { keys } from '../keys/schema.ts'

interface Means {
  type: string
  id: string | null
  name: string | null
}

/** What it takes to see a field, wherever one may ask who can open: without, it is null. */
const needed: Readonly<Record<string, readonly Permission[]>> = {
  individual_id: ['individuals:read'],
  grant_id: ['access-grants:read'],
  path: ['access-grants:read', 'access-groups:read', 'individuals:read', 'keys:read'],
}

/** One that is held, but not everywhere there, would tell of what lies elsewhere. */
function lacking(rights: Rights, name: string): Permission | undefined {
  const asked = rights.scopeOf('access-points:audience') ?? 'all'
  return needed[name]?.find((permission) => !covers(rights.scopeOf(permission), asked))
}

/** What is not seen is neither compared nor sorted by: either would tell it. */
export function refuseUnseen(rights: Rights, { filters, order }: Pick<ListQuery, 'filters' | 'order'>): void {
  for (const { field } of [...filtersIn(filters), ...order]) {
    const permission = lacking(rights, field)
    if (permission === undefined) continue
    const message =
      `${field}: you may not see it here, so the list is neither filtered nor sorted by it; that needs the ` +
      `permission ${permission}`
    throw new AppError('UNAUTHORIZED', message, { status: 403, reason: 'insufficient_permissions' })
  }
}

/**
 * Whoever may only see who can open a door sees name, kind and by what kind of means; the rest takes the right to read
 * it there. What a row refers to is put into it as it is into the rows of other lists.
 */
export async function showTo(
  handle: OrgHandle,
  caller: Caller,
  rows: AnyRow[],
  { embeds }: Pick<ListQuery, 'embeds'>,
): Promise<void> {
  const { rights } = caller
  await embedInto(handle, caller, rows, embeds)
  const hidden = Object.keys(needed).filter((name) => lacking(rights, name) !== undefined)
  // People are seen one by one: some of them have to do with places where the caller may read people.
  const people = rows.flatMap(({ individual_id }) => (typeof individual_id === 'string' ? individual_id : []))
  const known = hidden.includes('individual_id') ? await seenOf(handle, individuals, rights, people) : undefined
  for (const row of rows)
    for (const name of hidden)
      if (name in row && !(name === 'individual_id' && known?.has(String(row[name])))) row[name] = null
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

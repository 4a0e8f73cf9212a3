import { terminating } from '../../core/cards/credential-state.ts'
import { inOrder } from '../../core/in-order.ts'
import type { Permission } from '../../core/permissions.ts'
import type { Rights } from '../../core/rights.ts'
import { visible } from '../../db/lists/counts.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { Resource } from '../../db/resource.ts'
import { limitsOfAny } from '../../db/scope.ts'
import { raw, type Sql, sql } from '../../db/sql.ts'
import { accessGrants } from '../access-grants/schema.ts'
import { accessGroupMembers } from '../access-groups/schema.ts'
import { credentials } from '../credentials/schema.ts'
import { type HeldKey, keysHeldBy } from './belongings.ts'

/** One that is terminated already keeps its reason: a stolen card must stay known as stolen. */
export const credentialsToEnd: Sql = sql`t.status_reason
  not in (${raw(terminating.map((reason) => `'${reason}'`).join(', '))})`

/** In force at that moment, or later. */
export const grantsToEnd = (at: string): Sql =>
  sql`t.revoked_at is null and (t.valid_until is null or t.valid_until > ${at})`

/** What an offboarding ends, as far as somebody may see it: null what they may not see at all. */
export interface Ending {
  credentials: object[] | null
  access_grants: object[] | null
  memberships: object[] | null
  keys_to_recover: HeldKey[] | null
}

export async function endingOf(handle: OrgHandle, individualId: string, at: string, rights: Rights): Promise<Ending> {
  const told = async (
    resource: Resource,
    permission: Permission,
    list: (seen: Sql) => Sql,
  ): Promise<object[] | null> => {
    const scope = rights.scopeOf(permission)
    if (scope === undefined) return null
    const seen = sql`${await visible(handle, resource, scope)} and t.individual_id = ${individualId}`
    const rows = await handle.all<{ id: string; place: string }>(list(seen))
    return inOrder(rows, ({ place, id }) => `${place}\n${id}`).map(({ place: _, ...row }) => row)
  }
  const keyScope = rights.scopeOf('keys:read')
  return {
    credentials: await told(
      credentials,
      'credentials:read',
      (seen) =>
        sql`select t.id, t.type, t.label, t.number, t.created_at as place from credentials t
          where ${seen} and ${credentialsToEnd}`,
    ),
    access_grants: await told(
      accessGrants,
      'access-grants:read',
      (seen) => sql`select t.id, t.effect, coalesce(p.name, s.name, b.name, l.name) as target_name, t.valid_until,
          t.created_at as place
        from access_grants t
        left join access_points p on p.org = :org and p.id = t.access_point_id
        left join spaces s on s.org = :org and s.id = t.space_id
        left join buildings b on b.org = :org and b.id = t.building_id
        left join locations l on l.org = :org and l.id = t.location_id
        where ${seen} and ${grantsToEnd(at)}`,
    ),
    memberships: await told(
      accessGroupMembers,
      'access-groups:read',
      (seen) => sql`select t.id, t.access_group_id, g.name as access_group_name, g.name as place
        from access_group_members t join access_groups g on g.org = :org and g.id = t.access_group_id where ${seen}`,
    ),
    keys_to_recover: keyScope === undefined ? null : await keysHeldBy(handle, individualId, keyScope),
  }
}

const READS: readonly Permission[] = ['credentials:read', 'access-grants:read', 'access-groups:read', 'keys:read']

/** The places that any of those lists is cut to. */
export const limitsOfEnding = (handle: OrgHandle, rights: Rights) => limitsOfAny(handle, rights, READS)

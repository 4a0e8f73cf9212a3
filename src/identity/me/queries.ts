import type { Caller, PlaceSet } from '../../core/rights.ts'
import type { Place } from '../../db/assignments.ts'
import type { OrgHandle } from '../../db/org.ts'
import { type Places, placesOf } from '../../db/places.ts'
import { sql } from '../../db/sql.ts'
import { factorDemand } from '../demanded-factor.ts'
import { waysIn } from '../ways-in.ts'
import type { Me } from './schema.ts'

interface AssignedRole extends Place {
  role_assignment_id: string
  role_id: string
  name: string
}

/** Who the caller is, what it may do and where. */
export async function describeCaller(handle: OrgHandle, caller: Caller, issuers: readonly string[]): Promise<Me> {
  const { kind, id, name, tokenId, session: own, awaitedFactor = null, application, rights } = caller
  const organization = await handle.one<Me['organization']>(
    sql`select id, name, time_zone, language from organizations where key = :org`,
  )
  if (!organization) throw new Error('the organization is gone')
  const token = await handle.one<NonNullable<Me['token']>>(
    sql`select t.id, t.name, t.prefix, t.last_four, t.expires_at from tokens t where t.org = :org
      and t.id = ${tokenId}`,
  )
  const roles = await handle.all<AssignedRole>(
    sql`select a.id as role_assignment_id, r.id as role_id, r.name, a.location_id, a.building_id from role_assignments a
        join roles r on r.org = :org and r.id = a.role_id where a.org = :org
        and (a.service_user_id = ${id} or a.user_id = ${id}) order by a.created_at, a.id`,
  )
  const person = await handle.one<Omit<NonNullable<Me['user']>, keyof Login>>(
    sql`select u.email, u.language, u.totp_confirmed_at is not null as mfa, u.last_login_at,
          (select count(*) from recovery_codes c where c.org = :org and c.user_id = u.id
          and c.used_at is null) as recovery_codes_left
        from users u where u.org = :org and u.id = ${id}`,
  )
  const session = await handle.one<Omit<NonNullable<Me['session']>, 'awaited_factor'>>(
    sql`select s.id, s.expires_at, s.confirmed_at from sessions s where s.org = :org and s.id = ${own?.id ?? null}`,
  )
  // How somebody logs in is not for an application that acts for them. SQLite has no booleans.
  const user =
    person && !application ? { ...person, ...(await loginOf(handle, id, issuers)), mfa: Boolean(person.mfa) } : null
  const places = await placesOf(handle)
  const permissions = rights.entries().map(([permission, scope]) => ({ permission, ...whereOf(places, scope) }))
  return {
    kind,
    id,
    name,
    organization,
    token: token ?? null,
    user,
    session: session ? { ...session, awaited_factor: awaitedFactor } : null,
    application: application ?? null,
    roles,
    permissions,
  }
}

type Login = Awaited<ReturnType<typeof loginOf>>

const loginOf = async (handle: OrgHandle, id: string, issuers: readonly string[]) => ({
  ...(await waysIn(handle, id, issuers)),
  second_factor_required: (await factorDemand(handle, id)).is_demanded,
})

function whereOf(places: Places, scope: 'all' | PlaceSet): Omit<Me['permissions'][number], 'permission'> {
  if (scope === 'all') return { scope: 'organization', location_ids: [], building_ids: [] }
  return { scope: 'places', ...topmost(places, scope) }
}

/** The uppermost of the places; all below them is understood. */
function topmost(
  places: Places,
  { locations, buildings }: PlaceSet,
): { location_ids: string[]; building_ids: string[] } {
  const location_ids = [...locations].filter((id) => !locations.has(places.locations.get(id)?.parent_id ?? ''))
  const building_ids = [...buildings].filter((id) => {
    const building = places.buildings.get(id)
    return !locations.has(building?.location_id ?? '') && !buildings.has(building?.parent_id ?? '')
  })
  return { location_ids: location_ids.sort(), building_ids: building_ids.sort() }
}

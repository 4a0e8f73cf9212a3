import type { OrgHandle } from '../../db/org.ts'
import { sql } from '../../db/sql.ts'
import { ENTERPRISE, isId, isObject, type Json, text } from './messages.ts'

interface ManagerField {
  manager_id?: string | null
}

const managerOf = (user: Json): string | null => {
  const enterprise = user[ENTERPRISE]
  const manager = isObject(enterprise) ? enterprise.manager : undefined
  return text(isObject(manager) ? manager.value : manager)
}

/**
 * Whom somebody reports to: by our id as Entra has it, or by the provider's own or the user name, as Okta's profiles
 * have it. A manager who is not provisioned is passed over: providers send them whether we know them or not.
 */
export async function managerIn(handle: OrgHandle, user: Json, before?: Json): Promise<ManagerField> {
  const [given, was] = [managerOf(user), before ? managerOf(before) : null]
  if (given === was) return {}
  if (given === null) return { manager_id: null }
  const key = given.toLowerCase()
  const isThem = isId(given) ? sql`t.individual_id = ${key}` : sql`(t.user_key = ${key} or t.external_id = ${given})`
  const manager = await handle.one<{ individual_id: string }>(
    sql`select t.individual_id from scim_users t where t.org = :org and ${isThem} order by t.individual_id limit 1`,
  )
  return manager ? { manager_id: manager.individual_id } : {}
}

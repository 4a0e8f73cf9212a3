import { emailKey } from '../core/people/email.ts'
import { newSecret } from '../core/secrets/secret.ts'
import { change, type Tx } from '../db/change.ts'
import type { Engine } from '../db/engine.ts'
import { createRow } from '../db/rows.ts'
import { sql } from '../db/sql.ts'
import { hashPassword } from '../identity/passwords.ts'
import { prepareRoleAssignment } from '../identity/role-assignments/queries.ts'
import { roleAssignments } from '../identity/role-assignments/schema.ts'
import { record, setPassword } from '../identity/users/queries.ts'
import { users } from '../identity/users/schema.ts'
import { commandLine } from './database.ts'

const EMAIL = 'demo@example.com'

/**
 * Somebody to log in as, in the demo organization alone. A password is shown once only, so every start gives a fresh
 * one.
 */
export async function renewDemoUser(
  engine: Engine,
  org: number,
  now: string,
): Promise<{ email: string; password: string }> {
  const password = newSecret().slice(0, 20)
  const passwordHash = await hashPassword(password)
  await change(engine, org, now, commandLine, async (tx) => {
    const known = await tx.one<{ id: string }>(
      sql`select t.id from users t where t.org = :org and t.email_key = ${emailKey(EMAIL)}`,
    )
    const id = known?.id ?? (await makeDemoUser(tx))
    await setPassword(tx, id, passwordHash)
    record(tx, 'user.password_changed', id)
  })
  return { email: EMAIL, password }
}

async function makeDemoUser(tx: Tx): Promise<string> {
  const body = { email: EMAIL, name: 'Demo', status: 'active' }
  const user = await createRow(tx, users, body, 'all', { prepare: () => ({ email_key: emailKey(EMAIL) }) })
  const role = await tx.one<{ id: string }>(sql`select t.id from roles t where t.org = :org and t.name = 'Owner'`)
  await createRow(tx, roleAssignments, { role_id: role?.id, user_id: user.id }, 'all', {
    prepare: prepareRoleAssignment,
  })
  return user.id
}

import type { Permission } from '../../core/permissions.ts'
import { parsed } from '../../db/assignments.ts'
import type { Actor } from '../../db/audit.ts'
import { change, type Tx } from '../../db/change.ts'
import type { Engine } from '../../db/engine.ts'
import { sql } from '../../db/sql.ts'
import { oauthGrants } from './grants-schema.ts'
import type { OauthRequest, RevocationReason } from './requests.ts'

/** A grant as the provider keeps it. */
export interface GrantPayload {
  jti: string
  accountId: string
  clientId: string
  exp: number
  resources?: Record<string, string>
  rejected?: { resources?: Record<string, string> }
}

interface GrantRow {
  org: number
  payload: string
}

const wordsOf = (text: string | undefined): string[] => text?.split(' ').filter(Boolean) ?? []

/** What was consented to, less what was not. */
function permissionsOf({ resources, rejected }: GrantPayload, api: string): Permission[] {
  const refused = new Set(wordsOf(rejected?.resources?.[api]))
  return wordsOf(resources?.[api]).filter((word) => !refused.has(word)) as Permission[]
}

/** The grant is what tells us the organization. */
export async function findGrant(engine: Engine, id: string): Promise<GrantRow | undefined> {
  const [row] = await engine.reader.all<GrantRow>('select g.org, g.payload from oauth_grants g where g.id = $1', [id])
  return row
}

export async function saveGrant(
  engine: Engine,
  now: string,
  { actor, signal }: Pick<OauthRequest, 'actor' | 'signal'>,
  grant: GrantPayload,
  api: string,
): Promise<void> {
  const { jti: id, accountId: user_id, clientId: application_id } = grant
  const [application] = await engine.reader.all<{ org: number }>(
    'select a.org from oauth_applications a where a.id = $1',
    [application_id],
  )
  if (!application) throw new Error('the application is gone')
  const permissions = permissionsOf(grant, api)
  const stored = { permissions, expires_at: new Date(grant.exp * 1000).toISOString(), payload: JSON.stringify(grant) }
  const save = async (tx: Tx) => {
    const before = await tx.one<{ version: number; permissions: Permission[] | string }>(
      sql`select t.version, t.permissions from oauth_grants t where t.org = :org and t.id = ${id}`,
    )
    if (before) await tx.update('oauth_grants', id, { ...stored, updated_at: tx.now, version: before.version + 1 })
    else
      await tx.insert('oauth_grants', {
        id,
        user_id,
        application_id,
        ...stored,
        created_at: tx.now,
        updated_at: tx.now,
        version: 1,
      })
    tx.record({
      action: before ? 'oauth_grant.updated' : 'oauth_grant.created',
      resource: oauthGrants.noun,
      resourceId: id,
      before: before ? { permissions: parsed<Permission[]>(before.permissions) } : null,
      after: { id, user_id, application_id, permissions, expires_at: stored.expires_at },
    })
  }
  await change(engine, application.org, now, actor, save, { signal })
}

/** Ends a grant and everything that hangs on it. False: there is none any more. */
export async function removeGrant(tx: Tx, id: string, reason: RevocationReason): Promise<boolean> {
  const row = await tx.one<{ user_id: string; application_id: string; permissions: Permission[] | string }>(
    sql`select t.user_id, t.application_id, t.permissions from oauth_grants t where t.org = :org and t.id = ${id}`,
  )
  if (!row) return false
  await tx.remove('oauth_grants', id)
  await tx.run(sql`delete from oauth_records where grant_id = ${id}`)
  const before = { id, ...row, permissions: parsed<Permission[]>(row.permissions) }
  tx.record({ action: 'oauth_grant.revoked', resource: oauthGrants.noun, resourceId: id, before, after: { reason } })
  return true
}

/** All that somebody has let applications do: it was agreed to with a way in that may have been another's. */
export async function removeGrantsOf(tx: Tx, userId: string, reason: RevocationReason): Promise<void> {
  const rows = await tx.all<{ id: string }>(
    sql`select t.id from oauth_grants t where t.org = :org and t.user_id = ${userId} order by t.id`,
  )
  for (const { id } of rows) await removeGrant(tx, id, reason)
}

export async function revokeGrant(
  engine: Engine,
  now: string,
  actor: Actor,
  id: string,
  reason: RevocationReason,
): Promise<void> {
  const found = await findGrant(engine, id)
  if (found) await change(engine, found.org, now, actor, async (tx) => void (await removeGrant(tx, id, reason)))
}

/** A consent that is still good, so that a confidential application need not ask again. */
export async function findConsent(
  engine: Engine,
  now: string,
  userId: string,
  applicationId: string,
): Promise<string | undefined> {
  const [row] = await engine.reader.all<{ id: string }>(
    `select g.id from oauth_grants g join oauth_applications a on a.org = g.org and a.id = g.application_id
      and a.kind = 'confidential'
     where g.user_id = $1 and g.application_id = $2 and g.expires_at > $3 order by g.created_at desc, g.id desc
     limit 1`,
    [userId, applicationId, now],
  )
  return row?.id
}

/** Noted without moving the organization's version. */
export async function noteUse(engine: Engine, now: string, id: string): Promise<void> {
  await engine.transaction((session) =>
    session.run('update oauth_grants set last_used_at = $1 where id = $2', [now, id]),
  )
}

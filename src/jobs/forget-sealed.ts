import { HIDDEN } from '../core/cards/match-key.ts'
import type { Actor } from '../db/audit.ts'
import { change, type Tx } from '../db/change.ts'
import type { Engine, Session } from '../db/engine.ts'
import { raw, sql } from '../db/sql.ts'

/** How many of each. */
export interface Lost {
  factors: number
  systems: number
  pins: number
  codes: number
  mails: number
  flows: number
  oauthKeys: number
  webhooks: number
  imports: number
}

const FACTORS = 'totp_secret is not null or totp_pending is not null'
const SYSTEMS = `cast(secrets as text) <> '{}'`

/** What only the key could open. */
export async function whatIsLost({ reader }: Pick<Engine, 'reader'>, now: string): Promise<Lost> {
  return {
    factors: await count(reader, `users where ${FACTORS}`),
    systems: await count(reader, `access_control_systems where ${SYSTEMS}`),
    pins: await countCredentials(reader, 'pin_key is not null'),
    // Of a visit that is over nothing would be shown.
    codes: await countCredentials(
      reader,
      `match_key like '${HIDDEN}%' and status_reason = 'none' and (valid_until is null or valid_until > $1)`,
      [now],
    ),
    mails: await count(reader, 'mails'),
    flows: await count(reader, 'login_flows'),
    oauthKeys: await count(reader, 'oauth_keys'),
    webhooks: await countWebhooks(reader),
    imports: await countImports(reader),
  }
}

async function count(session: Session, from: string, values: unknown[] = []): Promise<number> {
  const [row] = await session.all<{ n: number }>(`select count(*) as n from ${from}`, values)
  return Number(row?.n ?? 0)
}

/** A schema of before keeps PINs in another way, which no key is needed for. */
const countCredentials = async (session: Session, condition: string, values?: unknown[]): Promise<number> =>
  (await count(session, 'migrations where number = 42')) === 0
    ? 0
    : count(session, `credentials where ${condition}`, values)

const countWebhooks = async (session: Session): Promise<number> =>
  (await count(session, 'migrations where number = 55')) === 0 ? 0 : count(session, 'webhooks where secret is not null')

const SEALED_ROW = `(cast(r.cells as text) like '"sealed.%' or cast(r.errors as text) like '"sealed.%')`

const countImports = async (session: Session): Promise<number> =>
  (await count(session, 'migrations where number = 63')) === 0
    ? 0
    : count(
        session,
        `imports t where exists (select 1 from import_rows r where r.org = t.org and r.import_id = t.id
          and ${SEALED_ROW})`,
      )

/**
 * Organization by organization, on the record of each; what is everybody's last, so that a second attempt finds what is
 * left.
 */
export async function forgetSealed(engine: Engine, now: string, actor: Actor): Promise<void> {
  for (const { key } of await engine.reader.all<{ key: number }>('select key from organizations order by key', [])) {
    await change(engine, key, now, actor, async (tx) => {
      const ids = async (statement: ReturnType<typeof sql>) =>
        (await tx.all<{ id: string }>(statement)).map(({ id }) => id)
      const users = await ids(
        sql`select t.id from users t where t.org = :org and (t.totp_secret is not null or t.totp_pending is not null)
          order by t.id`,
      )
      const systems = await ids(
        sql`select t.id from access_control_systems t where t.org = :org and cast(t.secrets as text) <> '{}'
          order by t.id`,
      )
      for (const id of users) {
        await tx.update('users', id, {
          totp_secret: null,
          totp_confirmed_at: null,
          totp_last_step: null,
          totp_pending: null,
        })
        await tx.run(sql`delete from recovery_codes as t where t.org = :org and t.user_id = ${id}`)
      }
      for (const id of systems) await tx.update('access_control_systems', id, { secrets: {} })
      const pins = await ids(
        sql`select t.id from credentials t where t.org = :org and t.pin_key is not null order by t.id`,
      )
      for (const id of pins) await tx.update('credentials', id, { pin_key: null })
      const hooks = await ids(
        sql`select t.id from webhooks t where t.org = :org and t.secret is not null order by t.id`,
      )
      // Without a secret nothing is sent: whoever makes it active again gives it a new one first.
      for (const id of hooks)
        await tx.update('webhooks', id, {
          secret: null,
          previous_secret: null,
          status: 'disabled',
          disabled_reason: 'secret_forgotten',
        })
      await tx.aside(sql`delete from mails as t where t.org = :org`)
      const files = await ids(sql`select t.id from imports t where t.org = :org and exists (
        select 1 from import_rows r where r.org = :org and r.import_id = t.id and ${raw(SEALED_ROW)}) order by t.id`)
      for (const id of files) await forgetRows(tx, id)
      const after = { users, access_control_systems: systems, credentials: pins, webhooks: hooks, imports: files }
      tx.event({
        action: 'organization.secrets_forgotten',
        resource: 'organizations',
        resourceId: null,
        before: null,
        after,
      })
    })
  }
  await engine.transaction(async (session) => {
    for (const table of ['mails', 'login_flows', 'oauth_keys', 'seal_key'])
      await session.run(`delete from ${table}`, [])
  })
}

/** What is in stays; what is not cannot be taken in any more. */
async function forgetRows(tx: Tx, importId: string): Promise<void> {
  await tx.aside(
    sql`update import_rows as t set cells = null, errors = null where t.org = :org and t.import_id = ${importId}`,
  )
  await tx.aside(sql`update imports as t set status = 'cancelled', claimed_until = null, updated_at = ${tx.now},
    version = version + 1
    where t.org = :org and t.id = ${importId} and t.status in ('reading', 'checking', 'checked', 'running')`)
}

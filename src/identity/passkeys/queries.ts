import { randomUUIDv7 } from 'node:crypto'
import { AppError, notFound } from '../../core/errors.ts'
import type { RowOf } from '../../core/fields.ts'
import type { Actor } from '../../db/audit.ts'
import { change, type Tx } from '../../db/change.ts'
import type { Engine } from '../../db/engine.ts'
import { NotUnique } from '../../db/not-unique.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow } from '../../db/resource.ts'
import { getRow, searchTexts } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { type LoggedIn, open, type Request } from '../login/queries.ts'
import { record } from '../users/queries.ts'
import { passkeys } from './schema.ts'
import type { NewKey, PublicKey, StoredKey, WebAuthn } from './webauthn.ts'

/** A key and whose it is: the key is what tells us the organization. */
export interface FoundKey extends PublicKey {
  org: number
  id: string
  user_id: string
  email: string
  name: string
}

async function findKey(engine: Engine, credentialId: unknown): Promise<FoundKey | undefined> {
  if (typeof credentialId !== 'string') return undefined
  const [row] = await engine.reader.all<FoundKey>(
    `select p.org, p.id, p.user_id, p.credential_id, p.public_key, u.email, u.name
     from passkeys p join users u on u.org = p.org and u.id = p.user_id where p.credential_id = $1`,
    [credentialId],
  )
  return row
}

export async function keysOf(handle: OrgHandle, userId: string): Promise<StoredKey[]> {
  const rows = await handle.all<StoredKey & { transports: unknown }>(
    sql`select t.credential_id, t.public_key, t.transports from passkeys t where t.org = :org and t.user_id = ${userId}
      order by t.created_at, t.id`,
  )
  return rows.map((row) => ({
    ...row,
    transports: typeof row.transports === 'string' ? JSON.parse(row.transports) : row.transports,
  }))
}

const isRegistered = () => new AppError('CONFLICT', 'This passkey is registered already', { reason: 'passkey.exists' })

export async function addKey(tx: Tx, userId: string, name: string, key: NewKey): Promise<AnyRow> {
  const id = randomUUIDv7()
  const stored = tx.insert('passkeys', {
    ...key,
    id,
    user_id: userId,
    name,
    ...searchTexts(passkeys, { name }),
    transports: key.transports,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
  })
  // Whoever has it, and in whichever organization: the same is told of it.
  await stored.catch((error: unknown) => {
    throw error instanceof NotUnique ? isRegistered() : error
  })
  const row = await getRow(tx, passkeys, id, 'all')
  tx.record({
    action: 'passkey.created',
    resource: passkeys.noun,
    resourceId: id,
    before: null,
    after: { ...row, user_id: userId },
  })
  return row
}

/** Somebody else's is as good as none. */
export async function getOwnKey(tx: Tx, userId: string, id: string): Promise<RowOf<typeof passkeys.fields>> {
  const own = await tx.one(
    sql`select t.id from passkeys t where t.org = :org and t.id = ${id} and t.user_id = ${userId}`,
  )
  if (!own) throw notFound()
  return getRow(tx, passkeys, id, 'all')
}

interface Assertion {
  id: unknown
  response?: { userHandle?: unknown }
}

/** The key that has signed our challenge just now; undefined: there is none, or it has not. */
export async function verifyKey(
  engine: Engine,
  webauthn: WebAuthn,
  response: Assertion,
): Promise<{ key: FoundKey; signed: Signed | undefined } | undefined> {
  const key = await findKey(engine, response.id)
  if (!key) return undefined
  const { userHandle } = response.response ?? {}
  const isTheirs = typeof userHandle !== 'string' || Buffer.from(userHandle, 'base64url').toString() === key.user_id
  return { key, signed: isTheirs ? await webauthn.loggedIn(response, key) : undefined }
}

export interface Signed {
  counter: number
  is_synced: boolean
}

/**
 * Notes that it was used. False: its counter went back, so that there are two of it. Keys that do not count stay at 0.
 */
export async function noteUse(tx: Tx, key: FoundKey, { counter, is_synced }: Signed): Promise<boolean> {
  const isFurther = counter === 0 ? sql`t.counter = 0` : sql`t.counter < ${counter}`
  const used =
    await tx.run(sql`update passkeys as t set counter = ${counter}, is_synced = ${is_synced}, last_used_at = ${tx.now}
    where t.org = :org and t.id = ${key.id} and t.user_id = ${key.user_id} and ${isFurther}`)
  return used === 1
}

/** Undefined: refused, and on the record why. */
export async function logInWithKey(
  engine: Engine,
  now: string,
  key: FoundKey,
  signed: Signed | undefined,
  request: Request,
): Promise<LoggedIn | undefined> {
  const { address, reqId } = request
  const actor: Actor = { kind: 'system', id: null, name: 'Login', address, reqId }
  const attempt = async (tx: Tx) => {
    const refuse = (reason: string): undefined =>
      record(tx, 'user.login_failed', key.user_id, { passkey_id: key.id, reason }) as undefined
    if (!signed) return refuse('signature')
    const active =
      await tx.one(sql`select u.id from users u join organizations o on o.key = :org and o.status = 'active'
      where u.org = :org and u.id = ${key.user_id} and u.status = 'active'`)
    if (!active) return refuse('not_active')
    if (!(await noteUse(tx, key, signed))) return refuse('counter_went_back')
    Object.assign(actor, { kind: 'user', id: key.user_id, name: key.name })
    return open(tx, { id: key.user_id, email: key.email, name: key.name }, request, 'passkey')
  }
  return change(engine, key.org, now, actor, attempt, { signal: request.signal })
}

import { randomUUIDv7 } from 'node:crypto'
import type { SignOnProvider } from '../../config.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { lineFault } from '../../core/line.ts'
import { emailKey } from '../../core/people/email.ts'
import type { Actor } from '../../db/audit.ts'
import { change, type Tx } from '../../db/change.ts'
import type { Engine } from '../../db/engine.ts'
import type { MailOutbox } from '../../db/mails.ts'
import type { AnyRow } from '../../db/resource.ts'
import { createRow, getRow, updateRow } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { type LoggedIn, open, type Request } from '../login/queries.ts'
import { findOrganization } from '../organizations.ts'
import { prepareRoleAssignment } from '../role-assignments/queries.ts'
import { roleAssignments } from '../role-assignments/schema.ts'
import { isLive } from '../sessions/queries.ts'
import { invalidLink, redeemLink } from '../users/links.ts'
import { prepareUser, record } from '../users/queries.ts'
import { users } from '../users/schema.ts'
import { type Identity, signOnFailed } from './provider.ts'
import { identities } from './schema.ts'

interface Known {
  org: number
  organization_name: string
  id: string
  user_id: string
  name: string
  email: string
  is_active: boolean | number
}

const systemActor = ({ address, reqId }: Request): Actor => ({
  kind: 'system',
  id: null,
  name: 'Single sign-on',
  address,
  reqId,
})
const become = (actor: Actor, user: { id: string; name: string }): void =>
  void Object.assign(actor, { kind: 'user', id: user.id, name: user.name })

const unknownIdentity = (provider: SignOnProvider) =>
  signOnFailed(
    `Nobody here is connected with this account of ${provider.name}. Log in another way and connect it under your ` +
      `account, or open the invitation that you were sent and accept it with ${provider.name}.`,
    'sign_on.unknown_identity',
  )

/** By issuer and subject, never by e-mail: an address can change hands. */
async function findIdentities(
  engine: Engine,
  { issuer, subject }: Identity,
  organization: string | undefined,
): Promise<Known[]> {
  const rows = await engine.reader.all<Known>(
    `select i.org, o.name as organization_name, i.id, i.user_id, u.name, u.email, u.status = 'active' and o.status =
      'active' as is_active
     from user_identities i join users u on u.org = i.org and u.id = i.user_id join organizations o on o.key = i.org
     where i.issuer = $1 and i.subject = $2 order by i.org`,
    [issuer, subject],
  )
  return organization === undefined ? rows : rows.filter((row) => row.organization_name === organization)
}

export async function logInByIdentity(
  engine: Engine,
  now: string,
  provider: SignOnProvider,
  identity: Identity,
  organization: string | undefined,
  request: Request,
): Promise<LoggedIn> {
  const found = await findIdentities(engine, identity, organization)
  if (found.length === 0) return join(engine, now, provider, identity, organization, request)
  const active = found.filter((row) => row.is_active)
  const [user, another] = active
  if (another)
    throw new AppError(
      'CONFLICT',
      `This account is connected in ${active.map((row) => row.organization_name).join(' and ')}: name one of them ` +
        `when you log in`,
      {
        reason: 'login.organization_needed',
      },
    )
  const actor = systemActor(request)
  const { signal } = request
  const done =
    user && (await change(engine, user.org, now, actor, (tx) => enter(tx, actor, user, identity, request), { signal }))
  if (done) return done
  // Of an active one it is on the record why.
  for (const { org, user_id, id } of user ? [] : found)
    await change(
      engine,
      org,
      now,
      systemActor(request),
      async (tx) => record(tx, 'user.login_failed', user_id, { identity_id: id, reason: 'not_active' }),
      { signal },
    )
  throw signOnFailed('You cannot log in at present; ask an administrator', 'login_failed')
}

async function enter(
  tx: Tx,
  actor: Actor,
  user: Known,
  identity: Identity,
  request: Request,
): Promise<LoggedIn | undefined> {
  // Both may have changed since we looked.
  const used = await tx.run(sql`update user_identities as t set last_used_at = ${tx.now}, email = ${identity.email}
      where t.org = :org and t.id = ${user.id}
    and exists (select 1 from users u where u.org = :org and u.id = t.user_id and u.status = 'active')`)
  if (used !== 1) {
    record(tx, 'user.login_failed', user.user_id, { identity_id: user.id, reason: 'not_active' })
    return undefined
  }
  become(actor, { id: user.user_id, name: user.name })
  return open(tx, { id: user.user_id, email: user.email, name: user.name }, request, proofOf(identity))
}

const proofOf = ({ isByFactors }: Identity) => (isByFactors ? 'sign_on_mfa' : 'sign_on')

/** What a provider calls somebody, where people can read it. */
const readableName = (name: string | null): string | undefined =>
  name === null || name === '' || lineFault(name) !== undefined ? undefined : name.slice(0, 200).toWellFormed()

/** Whoever is not known becomes a user, where the provider's settings say so. */
async function join(
  engine: Engine,
  now: string,
  provider: SignOnProvider,
  identity: Identity,
  organization: string | undefined,
  request: Request,
): Promise<LoggedIn> {
  const wanted = provider.join
  const { email, isEmailVerified } = identity
  if (!wanted || (organization !== undefined && organization !== wanted.organization)) throw unknownIdentity(provider)
  if (email === null || !isEmailVerified)
    throw signOnFailed(
      `${provider.name} does not vouch for an e-mail address of yours, which is needed to join`,
      'sign_on.no_email',
    )
  const found = await findOrganization(engine, wanted.organization)
  if (!found)
    throw new AppError('INTERNAL', `SSO_${provider.id.toUpperCase()}_JOIN names an organization that does not exist`)
  const actor = systemActor(request)
  const admit = async (tx: Tx) => {
    const role = await tx.one<{ id: string }>(
      sql`select t.id from roles t where t.org = :org and t.name = ${wanted.role}`,
    )
    if (!role) throw new AppError('INTERNAL', `SSO_${provider.id.toUpperCase()}_JOIN names a role that does not exist`)
    const taken = await tx.one(sql`select t.id from users t where t.org = :org and t.email_key = ${emailKey(email)}`)
    // An address alone proves nothing to us: whoever has it here already must say so themselves.
    if (taken) throw unknownIdentity(provider)
    const fresh = { email, name: readableName(identity.name) ?? email, status: 'active' }
    const user = await createRow(tx, users, fresh, 'all', { prepare: prepareUser })
    await createRow(tx, roleAssignments, { role_id: role.id, user_id: user.id }, 'all', {
      prepare: prepareRoleAssignment,
    })
    await attach(tx, provider, identity, user.id, tx.now)
    become(actor, user)
    return open(tx, user, request, proofOf(identity))
  }
  return change(engine, found.key, now, actor, admit, { signal: request.signal })
}

/** `lastUsedAt`: now, where somebody comes in by it. */
async function attach(
  tx: Tx,
  provider: SignOnProvider,
  { issuer, subject, email }: Identity,
  userId: string,
  lastUsedAt: string | null = null,
): Promise<void> {
  const taken = await tx.one<{ user_id: string }>(
    sql`select t.user_id from user_identities t where t.org = :org and t.issuer = ${issuer} and t.subject = ${subject}`,
  )
  if (taken) {
    const isOwn = taken.user_id === userId
    throw new AppError(
      'CONFLICT',
      `This account of ${provider.name} is connected ${isOwn ? 'already' : 'with somebody else'}`,
      {
        reason: isOwn ? 'identity.exists' : 'identity.taken',
      },
    )
  }
  const id = randomUUIDv7()
  const row = {
    id,
    created_at: tx.now,
    updated_at: tx.now,
    version: 1,
    user_id: userId,
    provider: provider.id,
    issuer,
    subject,
    email,
  }
  await tx.insert('user_identities', { ...row, last_used_at: lastUsedAt })
  tx.record({ action: 'identity.connected', resource: identities.noun, resourceId: id, before: null, after: row })
}

export interface Connecting {
  org: number
  userId: string
  sessionId: string
}

/** By somebody who is still logged in as they were when it began. */
export async function connectIdentity(
  engine: Engine,
  now: string,
  mail: MailOutbox,
  provider: SignOnProvider,
  identity: Identity,
  { org, userId, sessionId }: Connecting,
  request: Request,
): Promise<void> {
  const actor = systemActor(request)
  const connect = async (tx: Tx) => {
    const session = await tx.one<{ name: string }>(
      sql`select u.name from sessions t join users u on u.org = :org and u.id = t.user_id and u.status = 'active'
            join organizations o on o.key = :org and o.status = 'active'
          where t.org = :org and t.id = ${sessionId} and t.user_id = ${userId} and ${isLive(now)}`,
    )
    if (!session)
      throw signOnFailed('You are not logged in any more; log in and connect the account again', 'invalid_credential')
    become(actor, { id: userId, name: session.name })
    await attach(tx, provider, identity, userId)
    await mail.queue(tx, userId, 'factor_changed', { what: 'identity_connected', address: request.address })
  }
  await change(engine, org, now, actor, connect, { signal: request.signal })
}

export interface Accepting {
  org: number
  userId: string
  linkHash: string
}

/** The link works once, as with a password; what is not accepted leaves it as it was. */
export async function acceptByIdentity(
  engine: Engine,
  now: string,
  latest: string,
  provider: SignOnProvider,
  identity: Identity,
  { org, userId, linkHash }: Accepting,
  request: Request,
): Promise<LoggedIn> {
  const actor = systemActor(request)
  const accept = async (tx: Tx) => {
    await redeemLink(tx, latest, 'invitation', linkHash)
    const user = await getRow(tx, users, userId, 'all')
    if (user.status !== 'invited') throw invalidLink()
    become(actor, user)
    const accepted = await updateRow(tx, users, user, { status: 'active' }, 'accepted')
    await attach(tx, provider, identity, userId, tx.now)
    return open(tx, accepted, request, proofOf(identity))
  }
  return change(engine, org, now, actor, accept, { signal: request.signal })
}

/** Somebody else's is as good as none. */
export async function removeIdentity(tx: Tx, userId: string, id: string): Promise<AnyRow> {
  const own = await tx.one(
    sql`select t.id from user_identities t where t.org = :org and t.id = ${id} and t.user_id = ${userId}`,
  )
  if (!own) throw notFound()
  const row = await getRow(tx, identities, id, 'all')
  await tx.remove(identities.table, id)
  tx.record({ action: 'identity.disconnected', resource: identities.noun, resourceId: id, before: row, after: null })
  return row
}

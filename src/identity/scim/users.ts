import type { ChangeVerb } from '../../core/change-verbs.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { lineFault } from '../../core/line.ts'
import { individualAfter } from '../../core/people/individual-states.ts'
import type { Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'
import type { AnyRow } from '../../db/resource.ts'
import { createRow, getRow, patchRow } from '../../db/rows.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { House } from '../../http/context.ts'
import { Writable } from '../../http/writes/writable.ts'
import { carryOut } from '../../resources/individuals/offboarding.ts'
import { prepareIndividual } from '../../resources/individuals/queries.ts'
import { type Individual, individuals } from '../../resources/individuals/schema.ts'
import { reactivate, suspend } from '../../resources/individuals/transitions.ts'
import { isOfTheHouse, keepLogin, leaveLogin, switchLogin } from './logins.ts'
import { managerIn } from './manager.ts'
import { isId, type Json, patched, text, whole } from './messages.ts'
import { userOperations } from './operations.ts'
import { ofText, ofTruth, pageOf } from './page.ts'
import { addressIn, difference, fieldsOf, newFieldsOf, type UserRow, userOf } from './user-fields.ts'

const rules = { prepare: prepareIndividual }
const writable = new Writable(individuals, rules, 'scim:write', new Set())
const MAX_NAME = 320

const key = (userName: unknown): string => String(userName).toLowerCase()
const COLUMNS: Sql = sql`t.*, s.*, (select m.individual_id from scim_users m where m.org = :org
  and m.individual_id = t.manager_id) as scim_manager_id`
const FROM: Sql = sql`(select u.individual_id, u.user_name, u.user_key, u.is_active, u.has_suspended,
  u.external_id as scim_external_id
  from scim_users u where u.org = :org) s join individuals t on t.org = :org and t.id = s.individual_id
  where t.org = :org`

const NOBODY: Sql = sql`1 = 0`
const hasAddress = (value: string): Sql => sql`lower(t.email) = lower(${value})`
/** Entra asks so before it changes whom somebody reports to. */
const hasManager = (value: string): Sql =>
  isId(value)
    ? sql`exists (select 1 from scim_users m where m.org = :org and m.individual_id = t.manager_id
      and m.individual_id = ${value.toLowerCase()})`
    : NOBODY

export const listUsers = (handle: OrgHandle, query: URLSearchParams, base: string): Promise<Json> =>
  pageOf<UserRow>(handle, query, {
    columns: COLUMNS,
    from: FROM,
    order: sql`s.individual_id`,
    conditions: {
      userName: ofText((value) => sql`s.user_key = ${key(value)}`),
      externalId: ofText((value) => sql`s.scim_external_id = ${value}`),
      id: ofText((value) => (isId(value) ? sql`t.id = ${value.toLowerCase()}` : NOBODY)),
      emails: ofText(hasAddress),
      'emails.value': ofText(hasAddress),
      // As they are shown: the one address of somebody is that of their work.
      'emails.type': ofText((value) => (value.toLowerCase() === 'work' ? sql`t.email is not null` : NOBODY)),
      'emails.primary': ofTruth((value) => (value ? sql`t.email is not null` : NOBODY)),
      displayName: ofText((value) => sql`t.display_name = ${value}`),
      active: ofTruth((value) => sql`s.is_active = ${value}`),
      manager: ofText(hasManager),
      'manager.value': ofText(hasManager),
    },
    shown: async (rows) => rows.map((row) => userOf(row, base)),
  })

async function getUser(handle: OrgHandle, id: string): Promise<UserRow> {
  const row = isId(id)
    ? await handle.one<UserRow>(sql`select ${COLUMNS} from ${FROM} and t.id = ${id.toLowerCase()}`)
    : undefined
  if (!row) throw notFound()
  return row
}

export const shownUser = async (handle: OrgHandle, id: string, base: string): Promise<Json> =>
  userOf(await getUser(handle, id), base)

/** Somebody new, or somebody who is there already and whom the provider knows from now on. */
export async function createUser(tx: Tx, house: House, body: unknown): Promise<string> {
  const user = whole('User', body)
  const userName = await freeName(tx, user, undefined)
  const manager = await managerIn(tx, user)
  const known = await findKnown(tx, user)
  const { id } = known
    ? await write(tx, known, { ...fieldsOf(user), ...manager })
    : await createRow(tx, individuals, checked('create', { ...newFieldsOf(user), ...manager }), 'all', rules)
  const externalId = externalIdOf(user)
  await tx.run(sql`insert into scim_users (org, individual_id, user_name, user_key, external_id, is_active)
    values (:org, ${id}, ${userName}, ${key(userName)}, ${externalId}, ${true})`)
  record(tx, 'joined_scim', String(id), null, { user_name: userName, external_id: externalId })
  if (user.active === false) await follow(tx, house, await getUser(tx, String(id)), false)
  await keepLogin(tx, house, await getUser(tx, String(id)))
  return String(id)
}

/** What the provider does not speak of stays: others may have said it. */
export async function replaceUser(tx: Tx, house: House, id: string, body: unknown): Promise<void> {
  const user = whole('User', body)
  await become(tx, house, await getUser(tx, id), user, { ...fieldsOf(user), ...(await managerIn(tx, user)) })
}

export async function patchUser(tx: Tx, house: House, id: string, body: unknown): Promise<void> {
  const row = await getUser(tx, id)
  const before = userOf(row, '')
  const after = await patched('User', userOperations(body, before), before)
  await become(
    tx,
    house,
    row,
    { ...after, externalId: after.externalId ?? null },
    { ...difference(before, after), ...(await managerIn(tx, after, before)) },
  )
}

async function become(tx: Tx, house: House, before: UserRow, user: Json, fields: AnyRow): Promise<void> {
  const userName = await freeName(tx, user, before.id)
  await write(tx, await getRow(tx, individuals, before.id, 'all'), fields)
  await rename(tx, before, userName, user.externalId === undefined ? before.scim_external_id : externalIdOf(user))
  if (typeof user.active === 'boolean' && user.active !== Boolean(before.is_active))
    await follow(tx, house, before, user.active)
  await keepLogin(tx, house, await getUser(tx, before.id), before)
}

const write = (tx: Tx, current: Individual, fields: AnyRow): Promise<Individual> =>
  patchRow(tx, individuals, current, checked('patch', fields), 'all', rules)

function checked(kind: 'create' | 'patch', fields: AnyRow): AnyRow {
  if (Object.keys(fields).length > 0) writable.check(kind, fields)
  return fields
}

async function rename(tx: Tx, before: UserRow, userName: string, externalId: string | null): Promise<void> {
  if (userName === before.user_name && externalId === before.scim_external_id) return
  await tx.run(sql`update scim_users as t set user_name = ${userName}, user_key = ${key(userName)},
    external_id = ${externalId}
    where t.org = :org and t.individual_id = ${before.id}`)
  const was = { user_name: before.user_name, external_id: before.scim_external_id }
  record(tx, 'renamed_by_scim', before.id, was, { user_name: userName, external_id: externalId })
}

/**
 * The provider has changed its mind about somebody. Only then, and only what it did itself: whoever was suspended here
 * stays so, though the provider repeats with every change that they are active, or disables them and enables them
 * again.
 */
async function follow(
  tx: Tx,
  house: House,
  { id, is_active, has_suspended }: UserRow,
  isActive: boolean,
): Promise<void> {
  const current = await getRow(tx, individuals, id, 'all')
  const suspends = !isActive && individualAfter('suspend', current.status) !== undefined
  await tx.run(sql`update scim_users as t set is_active = ${isActive}, has_suspended = ${suspends}
    where t.org = :org and t.individual_id = ${id}`)
  record(tx, 'switched_by_scim', id, { active: Boolean(is_active) }, { active: isActive })
  if (suspends) await suspend(tx, current)
  const wasSuspendedHere = has_suspended !== null && !has_suspended
  // Who has left meanwhile is not called back by it.
  if (isActive && !wasSuspendedHere && current.status === 'suspended') await reactivate(tx, current)
  await switchLogin(tx, house, id, isActive && isOfTheHouse((await getRow(tx, individuals, id, 'all')).status))
}

/** Leaves the identity provider, and with it the house. */
export async function deleteUser(tx: Tx, house: House, id: string): Promise<void> {
  const { id: individualId, user_name, scim_external_id } = await getUser(tx, id)
  const individual = await getRow(tx, individuals, individualId, 'all')
  if (individualAfter('offboard', individual.status)) await carryOut(tx, individual)
  await leaveLogin(tx, house, individualId)
  await tx.run(sql`delete from scim_users as t where t.org = :org and t.individual_id = ${individualId}`)
  record(tx, 'left_scim', individualId, { user_name, external_id: scim_external_id }, null)
}

const record = (tx: Tx, verb: ChangeVerb, resourceId: string, before: AnyRow | null, after: AnyRow | null): void =>
  tx.record({ action: `individual.${verb}`, resource: individuals.noun, resourceId, before, after })

function externalIdOf({ externalId }: Json): string | null {
  const given = text(externalId)
  if (given !== null && given.length > MAX_NAME) throw tooLong('externalId')
  return given
}

const tooLong = (name: string) => new AppError('VALIDATION_ERROR', `${name} must have at most ${MAX_NAME} characters`)

async function freeName(tx: Tx, user: Json, own: string | undefined): Promise<string> {
  const userName = text(user.userName)
  if (userName === null) throw new AppError('VALIDATION_ERROR', 'userName is required')
  if (userName.length > MAX_NAME) throw tooLong('userName')
  const fault = lineFault(userName)
  if (fault) throw new AppError('VALIDATION_ERROR', `userName has ${fault}, which is not accepted`)
  const taken = await tx.one<{ individual_id: string }>(
    sql`select t.individual_id from scim_users t where t.org = :org and t.user_key = ${key(userName)}`,
  )
  if (taken && taken.individual_id !== own)
    throw new AppError('CONFLICT', `userName: ${userName} is taken by another user`, { reason: 'not_unique' })
  return userName
}

/**
 * Whom the provider means, among people whom it does not know yet: by its own id or name for them as external_id, else
 * by e-mail. Who has left is not called back by it. Two of them it has to tell apart itself.
 */
async function findKnown(tx: Tx, user: Json): Promise<Individual | undefined> {
  const here = sql`t.org = :org and t.status not in ('offboarded', 'anonymised')
    and not exists (select 1 from scim_users u where u.org = :org and u.individual_id = t.id)`
  const keys = [text(user.externalId), text(user.userName)].filter((value) => value !== null)
  for (const value of keys) {
    const found = await tx.one<{ id: string }>(
      sql`select t.id from individuals t where ${here} and t.external_id = ${value}`,
    )
    if (found) return getRow(tx, individuals, found.id, 'all')
  }
  const address = addressIn(user)
  if (address === null) return undefined
  const [found, another] = await tx.all<{ id: string }>(
    sql`select t.id from individuals t where ${here} and lower(t.email) = lower(${address}) order by t.id limit 2`,
  )
  if (another)
    throw new AppError(
      'CONFLICT',
      `Several people here have the address ${address}: leave it to one of them, then provision again`,
      {
        reason: 'not_unique',
      },
    )
  return found && getRow(tx, individuals, found.id, 'all')
}

import { AppError, notFound } from '../../core/errors.ts'
import { UUID_PATTERN } from '../../core/fields.ts'
import type { Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'
import { createRow, getRow, patchRow } from '../../db/rows.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { carryOut } from '../../resources/individuals/offboarding.ts'
import { prepareIndividual } from '../../resources/individuals/queries.ts'
import { type Individual, individuals } from '../../resources/individuals/schema.ts'
import { reactivate, suspend } from '../../resources/individuals/transitions.ts'
import { ENTERPRISE, isObject, type Json, USER } from './messages.ts'
import { pageOf } from './page.ts'

type Row = Individual & { user_name: string; scim_external_id: string | null }

const rules = { prepare: prepareIndividual as never }
const key = (userName: unknown): string => String(userName).toLowerCase()
const FROM: Sql = sql`individuals t join (select u.org as user_org, u.individual_id, u.user_name, u.user_key, u.external_id as scim_external_id
  from scim_users u where u.org = :org) s on s.individual_id = t.id where t.org = :org`

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)

/** The primary one of several, else the first. */
function mainOf(values: unknown): string | null {
  const list = Array.isArray(values) ? values.filter(isObject) : []
  return text((list.find(({ primary }) => primary === true) ?? list[0])?.value)
}

export const listUsers = (handle: OrgHandle, query: URLSearchParams, base: string): Promise<Json> =>
  pageOf<Row>(
    handle,
    query,
    FROM,
    {
      userName: (value) => sql`s.user_key = ${key(value)}`,
      externalId: (value) => sql`s.scim_external_id = ${String(value)}`,
      id: (value) => (isId(value) ? sql`t.id = ${value.toLowerCase()}` : sql`1 = 0`),
      'emails.value': (value) => sql`lower(t.email) = ${key(value)}`,
      emails: (value) => sql`lower(t.email) = ${key(isObject(value) ? value.value : value)}`,
      displayName: (value) => sql`t.display_name = ${String(value)}`,
      active: (value) =>
        String(value).toLowerCase() === 'true' ? sql`t.status in ('active', 'invited')` : sql`t.status not in ('active', 'invited')`,
    },
    async (rows) => rows.map((row) => shownUser(row, base)),
  )

export const isId = (value: unknown): value is string => typeof value === 'string' && new RegExp(UUID_PATTERN).test(value)

export async function findUser(handle: OrgHandle, id: string): Promise<Row> {
  const row = isId(id) ? await handle.one<Row>(sql`select t.*, s.* from ${FROM} and t.id = ${id.toLowerCase()}`) : undefined
  if (!row) throw notFound()
  return row
}

export const shownUser = (row: Row, base: string): Json => ({
  schemas: [USER, ENTERPRISE],
  id: row.id,
  ...(row.scim_external_id === null ? {} : { externalId: row.scim_external_id }),
  userName: row.user_name,
  displayName: row.display_name,
  name: { formatted: row.display_name, givenName: row.given_name, familyName: row.family_name },
  active: row.status === 'active' || row.status === 'invited',
  ...(row.email === null ? {} : { emails: [{ type: 'work', value: row.email, primary: true }] }),
  ...(row.phone === null ? {} : { phoneNumbers: [{ type: 'work', value: row.phone, primary: true }] }),
  [ENTERPRISE]: {
    ...(row.personnel_number === null ? {} : { employeeNumber: row.personnel_number }),
    ...(row.department === null ? {} : { department: row.department }),
    ...(row.company === null ? {} : { organization: row.company }),
  },
  meta: {
    resourceType: 'User',
    created: row.created_at,
    lastModified: row.updated_at,
    location: `${base}/Users/${row.id}`,
    version: `W/"${row.version}"`,
  },
})

function fieldsOf(user: Json): Partial<Individual> {
  const name = isObject(user.name) ? user.name : {}
  const enterprise = isObject(user[ENTERPRISE]) ? user[ENTERPRISE] : {}
  const given = text(name.givenName) ?? ''
  const family = text(name.familyName) ?? ''
  const display = text(user.displayName) ?? text(name.formatted) ?? (`${given} ${family}`.trim() || String(user.userName))
  return {
    given_name: given,
    family_name: family,
    display_name: display,
    email: mainOf(user.emails) ?? (/^[^\s@]+@[^\s@]+$/.test(String(user.userName)) ? String(user.userName) : null),
    phone: mainOf(user.phoneNumbers),
    personnel_number: text(enterprise.employeeNumber),
    department: text(enterprise.department),
    company: text(enterprise.organization),
  }
}

export async function createUser(tx: Tx, user: Json): Promise<Row> {
  await refuseTaken(tx, user, undefined)
  const made = await createRow(tx, individuals, { kind: 'employee', ...fieldsOf(user), status: 'active' }, 'all', rules)
  const id = String(made.id)
  await tx.run(sql`insert into scim_users (org, individual_id, user_name, user_key, external_id)
    values (:org, ${id}, ${String(user.userName)}, ${key(user.userName)}, ${text(user.externalId)})`)
  if (user.active === false) await suspend(tx, made as Individual)
  return findUser(tx, id)
}

/** Makes the user what is given. What SCIM does not know of somebody stays. */
export async function replaceUser(tx: Tx, id: string, user: Json): Promise<Row> {
  const before = await findUser(tx, id)
  await refuseTaken(tx, user, before.id)
  let current = (await getRow(tx, individuals, before.id, 'all')) as Individual
  current = (await patchRow(tx, individuals, current, fieldsOf(user), 'all', rules)) as Individual
  await rename(tx, before, user)
  const isActive = current.status === 'active' || current.status === 'invited'
  if (user.active === false && isActive) await suspend(tx, current)
  if (user.active === true && !isActive) await reactivate(tx, current)
  return findUser(tx, before.id)
}

async function rename(tx: Tx, before: Row, user: Json): Promise<void> {
  const [userName, externalId] = [String(user.userName), text(user.externalId)]
  if (userName === before.user_name && externalId === before.scim_external_id) return
  await tx.run(sql`update scim_users as t set user_name = ${userName}, user_key = ${key(userName)}, external_id = ${externalId}
    where t.org = :org and t.individual_id = ${before.id}`)
  tx.record({
    action: 'individual.renamed_by_scim',
    resource: individuals.noun,
    resourceId: before.id,
    before: { user_name: before.user_name, external_id: before.scim_external_id },
    after: { user_name: userName, external_id: externalId },
  })
}

/** Leaves the identity provider, and with it the house. */
export async function deleteUser(tx: Tx, id: string): Promise<void> {
  const { id: individualId } = await findUser(tx, id)
  const individual = (await getRow(tx, individuals, individualId, 'all')) as Individual
  if (individual.status !== 'offboarded' && individual.status !== 'anonymised') await carryOut(tx, individual)
  await tx.run(sql`delete from scim_users as t where t.org = :org and t.individual_id = ${individualId}`)
  tx.record({ action: 'individual.left_scim', resource: individuals.noun, resourceId: individualId, before: null, after: null })
}

async function refuseTaken(tx: Tx, user: Json, own: string | undefined): Promise<void> {
  if (text(user.userName) === null) throw new AppError('VALIDATION_ERROR', 'userName is required')
  const taken = await tx.one<{ individual_id: string }>(
    sql`select t.individual_id from scim_users t where t.org = :org and t.user_key = ${key(user.userName)}`,
  )
  if (taken && taken.individual_id !== own)
    throw new AppError('CONFLICT', `userName: ${String(user.userName)} is taken by another user`, { reason: 'not_unique' })
}

import { displayNameOf } from '../../core/people/display-name.ts'
import type { AnyRow } from '../../db/resource.ts'
import type { Individual } from '../../resources/individuals/schema.ts'
import { ENTERPRISE, isObject, type Json, text, USER, withVersion } from './messages.ts'

/** Somebody who came by SCIM. */
export type UserRow = Individual & {
  user_name: string
  scim_external_id: string | null
  is_active: boolean | number
  has_suspended: boolean | number | null
  /** Their manager, where that one came by SCIM too. */
  scim_manager_id: string | null
}

/** The primary one of several, else the first. One that is added as primary takes the place of the one before. */
function mainOf(values: unknown): string | null | undefined {
  if (values === undefined) return undefined
  const list = Array.isArray(values) ? values.filter(isObject) : []
  return text((list.findLast(({ primary }) => primary === true) ?? list[0])?.value)
}

const said = (value: unknown): string | null | undefined => (value === undefined ? undefined : text(value))
const nameSaid = (value: unknown): string | undefined => (value === undefined ? undefined : (text(value) ?? ''))

/** What the provider says of somebody; what it does not speak of is not there. */
export function fieldsOf(user: Json): AnyRow {
  const name = isObject(user.name) ? user.name : {}
  const enterprise = isObject(user[ENTERPRISE]) ? user[ENTERPRISE] : {}
  const fields = {
    given_name: nameSaid(name.givenName),
    family_name: nameSaid(name.familyName),
    display_name: text(user.displayName) ?? text(name.formatted) ?? undefined,
    email: mainOf(user.emails),
    phone: mainOf(user.phoneNumbers),
    personnel_number: said(enterprise.employeeNumber),
    department: said(enterprise.department),
    company: said(enterprise.organization),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** The same of somebody who is new: nobody is without a name. */
export function newFieldsOf(user: Json): AnyRow {
  const fields = fieldsOf(user)
  const { given_name = '', family_name = '', display_name } = fields as Partial<Individual>
  const shown = display_name ?? (displayNameOf({ given_name, family_name }) || String(user.userName))
  return {
    kind: 'employee',
    status: 'active',
    email: addressIn(user),
    ...fields,
    given_name,
    family_name,
    display_name: shown,
  }
}

/** Many a provider uses the address as the name. */
export const addressIn = ({ userName, emails }: Json): string | null =>
  mainOf(emails) ?? (/^[^\s@]+@[^\s@]+$/.test(String(userName)) ? String(userName) : null)

const CLEARED: Readonly<Record<string, unknown>> = { given_name: '', family_name: '', display_name: undefined }

/** What differs between two states of somebody, as a patch: what is not said any more is empty. */
export function difference(before: Json, after: Json): AnyRow {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  const names = Object.keys({ ...was, ...is }).filter((name) => was[name] !== is[name])
  const changes = names.map((name) => [name, name in is ? is[name] : name in CLEARED ? CLEARED[name] : null] as const)
  return Object.fromEntries(changes.filter(([, value]) => value !== undefined))
}

const one = (value: string | null) => (value === null ? undefined : [{ type: 'work', value, primary: true }])

export function userOf(row: UserRow, base: string): Json {
  const { scim_external_id, scim_manager_id } = row
  return withVersion({
    schemas: [USER, ENTERPRISE],
    id: row.id,
    externalId: scim_external_id ?? undefined,
    userName: row.user_name,
    displayName: row.display_name,
    name: { formatted: row.display_name, givenName: row.given_name, familyName: row.family_name },
    active: Boolean(row.is_active),
    emails: one(row.email),
    phoneNumbers: one(row.phone),
    [ENTERPRISE]: {
      employeeNumber: row.personnel_number ?? undefined,
      department: row.department ?? undefined,
      organization: row.company ?? undefined,
      manager:
        scim_manager_id === null ? undefined : { value: scim_manager_id, $ref: `${base}/Users/${scim_manager_id}` },
    },
    meta: {
      resourceType: 'User',
      created: row.created_at,
      lastModified: row.updated_at,
      location: `${base}/Users/${row.id}`,
    },
  })
}

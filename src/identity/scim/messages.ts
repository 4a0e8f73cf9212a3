import SCIMMY from 'scimmy'
import { AppError } from '../../core/errors.ts'

SCIMMY.Schemas.User.definition.extend(SCIMMY.Schemas.EnterpriseUser.definition, false)

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An error in the words of RFC 7644, section 3.12. */
export function scimError(error: unknown): { status: number; body: Json } | undefined {
  const known = error instanceof AppError ? ofOurs(error) : ofScimmy(error)
  if (!known) return undefined
  const { status, scimType, detail } = known
  return {
    status,
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      ...(scimType === undefined ? {} : { scimType }),
      detail,
    },
  }
}

interface Known {
  status: number
  scimType?: string | undefined
  detail: string
}

function ofOurs({ status, code, message }: AppError): Known {
  const types: Record<string, string> = { VALIDATION_ERROR: 'invalidValue', MALFORMED_REQUEST: 'invalidSyntax', CONFLICT: 'uniqueness' }
  return { status, scimType: types[code], detail: message }
}

/** What the core of scimmy refuses; a TypeError of its own says that what was sent does not fit. */
function ofScimmy(error: unknown): Known | undefined {
  if (error instanceof SCIMMY.Types.Error)
    return { status: Number(error.status), scimType: error.scimType || undefined, detail: error.message }
  return error instanceof TypeError ? { status: 400, scimType: 'invalidValue', detail: error.message } : undefined
}

/** Entra sends "True" and "False" as texts, and operations in capitals. */
export function tolerant(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => tolerant(item))
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, tolerant(inner, name)]))
  if (typeof value === 'string' && /^(active|primary)$/i.test(key) && /^(true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  return value
}

const OF_TYPE = /^(\w+)\[type eq "([^"]+)"\]\.(\w+)$/i

const ONE_MEMBER = /^members\[value eq "([^"]+)"\]$/i

/** The operations of a PATCH as the core takes them, whoever sent them. `current` is what they are applied to. */
export function operationsOf(body: unknown, current: Json): Json[] {
  const operations = isObject(body) && Array.isArray(body.Operations) ? body.Operations : undefined
  if (!operations?.every(isObject)) throw new AppError('VALIDATION_ERROR', 'Operations: a PATCH needs a list of operations')
  const members = new Set(idsIn(current.members))
  return operations.flatMap((operation): Json[] => {
    const { op, path, value, ...rest } = operation
    const word = String(op).toLowerCase()
    const place = typeof path === 'string' ? path : ''
    const plain = tolerant(value, place)
    if (place.toLowerCase() === 'members' && word === 'add') for (const id of idsIn(plain)) members.add(id)
    const leaving = word === 'remove' ? leavingBy(place, value) : undefined
    // Who is no member need not be removed: that is no fault.
    if (leaving) return leaving.filter((id) => members.delete(id)).map((id) => ({ op: 'remove', path: `members[value eq "${id}"]` }))
    const [, list = '', type, member = ''] = OF_TYPE.exec(place) ?? []
    const there = Array.isArray(current[list]) ? (current[list] as Json[]) : []
    // Where there is none of this type yet the core finds no target, and Entra means to add one.
    if (type !== undefined && word !== 'remove' && !there.some((item) => item.type === type))
      return [{ op: 'add', path: list, value: [{ type, [member]: plain }] }]
    return [{ op: word, ...(path === undefined ? {} : { path }), ...(value === undefined ? {} : { value: plain }), ...rest }]
  })
}

const idsIn = (list: unknown): string[] => (Array.isArray(list) ? list.filter(isObject).map(({ value }) => String(value)) : [])

/** Entra names them in the value, Okta in the path; undefined: it is about something else, or about all of them. */
function leavingBy(path: string, value: unknown): string[] | undefined {
  const [, one] = ONE_MEMBER.exec(path) ?? []
  if (one !== undefined) return [one]
  return path.toLowerCase() === 'members' && Array.isArray(value) ? idsIn(value) : undefined
}

/** What the resource is after the operations. */
export async function patched(kind: 'User' | 'Group', body: unknown, current: Json): Promise<Json> {
  const Operations = operationsOf(body, current)
  if (Operations.length === 0) return current
  const message = new SCIMMY.Messages.PatchOp({ schemas: [SCIMMY.Messages.PatchOp.id], Operations } as never)
  const before = new SCIMMY.Schemas[kind](current as never, 'out')
  const after = await message.apply(before as never, async (resource: unknown) => resource as never)
  return JSON.parse(JSON.stringify(after ?? before)) as Json
}

/** The body of a creation or replacement, checked by the core, with names as the schema writes them. */
export function whole(kind: 'User' | 'Group', body: unknown): Json {
  if (!isObject(body)) throw new AppError('VALIDATION_ERROR', 'The body must be a JSON object')
  // Others' extensions are none of ours.
  const { schemas: _, ...rest } = tolerant(body) as Json
  const known = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('urn:') || name === ENTERPRISE))
  const schemas = kind === 'Group' ? [GROUP] : [USER, ...(ENTERPRISE in known ? [ENTERPRISE] : [])]
  return JSON.parse(JSON.stringify(new SCIMMY.Schemas[kind]({ ...known, schemas } as never, 'in'))) as Json
}

export const filterOf = (text: string): ReadonlyArray<Record<string, unknown>> => [...new SCIMMY.Types.Filter(text)]

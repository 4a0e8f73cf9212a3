import { hash } from 'node:crypto'
import SCIMMY from 'scimmy'
import { AppError } from '../../core/errors.ts'
import { UUID_PATTERN } from '../../core/fields.ts'

SCIMMY.Schemas.User.definition.extend(SCIMMY.Schemas.EnterpriseUser.definition, false)

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const UUID = new RegExp(UUID_PATTERN)
export const isId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value)

export const text = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

const TYPES: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: 'invalidValue',
  MALFORMED_REQUEST: 'invalidSyntax',
  CONFLICT: 'uniqueness',
  INVALID_STATE: 'mutability',
}

/** An error in the words of RFC 7644, section 3.12. */
export function scimError(error: AppError): Json {
  const scimType = error.cause instanceof SCIMMY.Types.Error ? error.cause.scimType : TYPES[error.code]
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(error.status),
    ...(scimType ? { scimType } : {}),
    detail: error.message,
  }
}

/**
 * What the core of scimmy refuses; a TypeError of its own says that what was sent does not fit, one that it stumbles
 * over says nothing.
 */
function refusedByCore(error: unknown): unknown {
  if (!(error instanceof SCIMMY.Types.Error || error instanceof TypeError)) return error
  const message = /^Cannot read|is not (?:a function|iterable)/.test(error.message)
    ? 'What was sent is not understood'
    : error.message
  return new AppError('VALIDATION_ERROR', message, { cause: error })
}

function byCore<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw refusedByCore(error)
  }
}

/** Entra sends "True" and "False" as texts. */
export function tolerant(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => tolerant(item))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, tolerant(inner, name)]))
  if (typeof value === 'string' && /^(active|primary)$/i.test(key) && /^(true|false)$/i.test(value))
    return value.toLowerCase() === 'true'
  return value
}

/** What the resource is after the operations. */
export async function patched(kind: 'User' | 'Group', Operations: readonly Json[], current: Json): Promise<Json> {
  if (Operations.length === 0) return current
  const message = byCore(
    () => new SCIMMY.Messages.PatchOp({ schemas: [SCIMMY.Messages.PatchOp.id], Operations } as never),
  )
  const before = new SCIMMY.Schemas[kind](current, 'out')
  try {
    const after = await message.apply(before as never, async (resource: unknown) => resource as never)
    return JSON.parse(JSON.stringify(after ?? before))
  } catch (error) {
    throw refusedByCore(error)
  }
}

/** The body of a creation or replacement, checked by the core, with names as the schema writes them. */
export function whole(kind: 'User' | 'Group', body: unknown): Json {
  if (!isObject(body)) throw new AppError('VALIDATION_ERROR', 'The body must be a JSON object')
  // Others' extensions are none of ours.
  const { schemas: _, ...rest } = tolerant(body) as Json
  const known = Object.fromEntries(
    Object.entries(rest).filter(([name]) => !name.startsWith('urn:') || name === ENTERPRISE),
  )
  const schemas = kind === 'Group' ? [GROUP] : [USER, ...(ENTERPRISE in known ? [ENTERPRISE] : [])]
  return byCore(
    () => JSON.parse(JSON.stringify(new SCIMMY.Schemas[kind]({ ...known, schemas } as never, 'in'))) as Json,
  )
}

const LONGEST = 1000

/**
 * The core reads filters, also those in a path, by an expression that takes for ever over an open quote followed by
 * escapes or line breaks. No provider sends those.
 */
export function refuseEndless(name: string, expression: string): void {
  if (expression.length <= LONGEST && !/[\\\p{Cc}]/u.test(expression)) return
  throw new AppError(
    'VALIDATION_ERROR',
    `${name}: at most ${LONGEST} characters, without backslashes and control characters`,
  )
}

/** The core takes a bare True for false. */
const inSmall = (filter: string): string =>
  filter.replace(/"[^"]*"|\b(?:true|false)\b/gi, (word) => (word[0] === '"' ? word : word.toLowerCase()))

/** Parentheses around the whole, or around nothing but others, say nothing, and the core stumbles over them. */
function withoutIdleParentheses(filter: string): string {
  const text = [...filter.trim()]
  const ends = new Map<number, number>()
  /** The pair that each is in, by where they begin. */
  const around = new Map<number, number | undefined>()
  const open: number[] = []
  let isQuoted = false
  for (const [index, character] of text.entries()) {
    if (character === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    if (character === '(') {
      around.set(index, open.at(-1))
      open.push(index)
    }
    if (character !== ')') continue
    const begin = open.pop()
    if (begin === undefined) return filter
    ends.set(begin, index)
  }
  if (open.length > 0) return filter
  const isBlank = (from: number, to: number) => text.slice(from, to).every((character) => character === ' ')
  const isIdle = ([begin, end]: [number, number]) => {
    const outer = around.get(begin)
    if (outer === undefined) return begin === 0 && end === text.length - 1
    return isBlank(outer + 1, begin) && isBlank(end + 1, ends.get(outer) as number)
  }
  const idle = new Set([...ends].filter(isIdle).flat())
  return idle.size === 0
    ? filter
    : text
        .filter((_, index) => !idle.has(index))
        .join('')
        .trim()
}

export const filterOf = (filter: string): ReadonlyArray<Record<string, unknown>> =>
  byCore(() => [...new SCIMMY.Types.Filter(inSmall(withoutIdleParentheses(filter)))])

/** With the version that its ETag has: what it says, and whatever that is made of. */
export function withVersion(resource: Json & { meta: Json }): Json {
  const digest = hash('sha1', JSON.stringify(resource), 'base64url').slice(0, 16)
  return { ...resource, meta: { ...resource.meta, version: `W/"${digest}"` } }
}

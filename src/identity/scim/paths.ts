import SCIMMY from 'scimmy'
import { AppError } from '../../core/errors.ts'
import { ENTERPRISE, filterOf, isObject, type Json } from './messages.ts'

/** What a name is meant of: the core, by its URN or without, or the extension for enterprises. */
const OURS = /^urn:ietf:params:scim:schemas:(?:core:2\.0:(?:User|Group):|(extension:enterprise:2\.0:User)(?::|$))/i
const ATTRIBUTE = /^(\w+)(\[.*\])?(?:\.([\w$]+))?$/s

interface Attributes {
  attributes: ReadonlyArray<{ name?: string; subAttributes?: ReadonlyArray<{ name: string }> }>
}

/** A name as the schema writes it: case does not matter (RFC 7643, 2.1). One that it does not know stays. */
const spelt = (known: Attributes['attributes'], name: string) =>
  known.find((one) => one.name?.toLowerCase() === name.toLowerCase())

/** A path as the core knows it; undefined: of an extension of others, which is none of ours. */
export function pathIn(kind: 'User' | 'Group', path: string): string | undefined {
  const [urn = '', extension] = OURS.exec(path) ?? []
  const rest = path.slice(urn.length)
  if (/^urn:/i.test(rest)) return undefined
  const schema = (extension === undefined ? SCIMMY.Schemas[kind] : SCIMMY.Schemas.EnterpriseUser).definition
  const [, name, filter = '', sub] = ATTRIBUTE.exec(rest) ?? []
  const prefix = extension === undefined ? '' : ENTERPRISE
  if (name === undefined) return prefix === '' || rest === '' ? prefix || rest : `${prefix}:${rest}`
  const attribute = spelt(schema.attributes, name)
  const inner = sub === undefined ? '' : `.${spelt(attribute?.subAttributes ?? [], sub)?.name ?? sub}`
  return `${prefix && `${prefix}:`}${attribute?.name ?? name}${filter}${inner}`
}

/** What a value without a path says, by paths that the core knows; what is of others is left out. */
export function namesIn(kind: 'User' | 'Group', value: Json): Json {
  const named = Object.entries(value).map(([name, inner]) => [pathIn(kind, name), inner] as const)
  return Object.fromEntries(named.filter(([name]) => name !== undefined))
}

/** What `[…]` of a path says that an item must be; undefined: it says more than by equality. */
export function conditionsIn(filter: string): Json[] | undefined {
  const any = filterOf(filter).map((all) =>
    Object.entries(all).map(([name, said]) => {
      const [operator, value] = Array.isArray(said) ? said : []
      return operator === 'eq' && value !== undefined && !isObject(value)
        ? ([name.toLowerCase(), value] as const)
        : undefined
    }),
  )
  if (any.some((all) => all.includes(undefined))) return undefined
  return any.map((all) => Object.fromEntries(all as Array<readonly [string, unknown]>))
}

export const refusedPath = (path: string, why: string): AppError => {
  const message = `path: "${path}" ${why}`
  return new AppError('VALIDATION_ERROR', message, { cause: new SCIMMY.Types.Error(400, 'invalidPath', message) })
}

import { ENTERPRISE, isObject, type Json } from './messages.ts'

const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/
/** Told whatever is asked for. */
const ALWAYS = new Set(['schemas', 'id'])

/** The names in `attributes` or `excludedAttributes`; undefined: it is not said. */
function namesIn(
  query: URLSearchParams,
  parameter: 'attributes' | 'excludedAttributes',
): ReadonlySet<string> | undefined {
  const names = (query.get(parameter) ?? '').split(',').map((name) => name.trim().toLowerCase().replace(CORE, ''))
  const given = names.filter((name) => name !== '')
  return given.length > 0 ? new Set(given) : undefined
}

/** Whether an attribute, or something of it, is wanted. */
export function isAsked(query: URLSearchParams, name: string): boolean {
  const only = namesIn(query, 'attributes')
  if (only && ![...only].some((asked) => asked === name || asked.startsWith(`${name}.`))) return false
  return !namesIn(query, 'excludedAttributes')?.has(name)
}

/** A user or group with what was asked for alone (RFC 7644, 3.9). */
export function chosen(resource: Json, query: URLSearchParams): Json {
  const [only, without] = [namesIn(query, 'attributes'), namesIn(query, 'excludedAttributes')]
  if (!only && !without) return resource
  const told = Object.entries(resource).map(([name, value]) => {
    if (ALWAYS.has(name)) return [name, value]
    const key = name.toLowerCase()
    const separator = name === ENTERPRISE ? ':' : '.'
    const left = without?.has(key) ? undefined : part(value, (sub) => !without?.has(`${key}${separator}${sub}`))
    return [name, !only || only.has(key) ? left : part(left, (sub) => only.has(`${key}${separator}${sub}`))]
  })
  return Object.fromEntries(told.filter(([, value]) => !isEmpty(value)))
}

/** Of a value that has parts, those that are wanted; one that has none is no part of itself. */
function part(value: unknown, isWanted: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => part(item, isWanted)).filter((item) => !isEmpty(item))
  if (!isObject(value)) return isWanted('') ? value : undefined
  return Object.fromEntries(Object.entries(value).filter(([name]) => isWanted(name.toLowerCase())))
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0)

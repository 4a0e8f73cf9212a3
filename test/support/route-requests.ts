import type { FastifyInstance } from 'fastify'
import { allResources } from '../../src/all-resources.ts'
import type { TSchema } from '../../src/core/schema.ts'
import type { Resource } from '../../src/db/resource.ts'
import type { RouteEntry } from '../../src/http/context.ts'

/** The members of a group as a set: set, added, removed. */
export const isMemberSet = ({ method, url }: RouteEntry): boolean =>
  /\/members(\/add|\/remove)?$/.test(url) && (method === 'PUT' || /(add|remove)$/.test(url))

/** One item of each table, by the table's name. */
export type Ids = Readonly<Record<string, string>>

export interface JsonSchema {
  type?: string | string[]
  format?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  enum?: unknown[]
  examples?: unknown[]
  default?: unknown
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  minProperties?: number
  maxProperties?: number
}

/**
 * What is listed at which address: read from the table of routes once, and asked for with every request of a matrix.
 */
const collectionsOf = new WeakMap<FastifyInstance, ReadonlyMap<string, Resource>>()

/** The resource whose collection is at this address. */
export function resourceAt(app: FastifyInstance, collection: string): Resource | undefined {
  let collections = collectionsOf.get(app)
  if (!collections) {
    const lists = app.routeTable.filter(({ method }) => method === 'GET')
    collections = new Map(lists.flatMap(({ url, doc }) => (doc?.list ? [[url, doc.list.resource] as const] : [])))
    collectionsOf.set(app, collections)
  }
  return collections.get(collection)
}

/** What a route's own bodies are about: the resource of the last collection in its address. */
export function resourceOfRoute(app: FastifyInstance, { url }: RouteEntry): Resource | undefined {
  const parts = url.split('/')
  for (let end = parts.length; end > 1; end--) {
    const found = resourceAt(app, parts.slice(0, end).join('/'))
    if (found) return found
  }
  return undefined
}

/** The tables that the ids in a route's address are of, by the parameter's name. */
export function parametersOf(
  app: FastifyInstance,
  { url, method }: RouteEntry,
): Array<{ name: string; table: string }> {
  // A key of the caller's own is no id; test/lists/by-external-id.test.ts is about those.
  return [...url.matchAll(/:(?!external_id\b)(\w+)/g)].map((match) => {
    const resource = resourceAt(app, url.slice(0, match.index - 1))
    if (!resource && match[1] === 'uid') return { name: 'uid', table: 'oauth_interactions' }
    if (!resource) throw new Error(`${method} ${url}: no list says what :${match[1]} is the id of`)
    return { name: match[1] as string, table: resource.table }
  })
}

/** The key that examples of bodies have. */
const KEY = 'sap-4711'

export const addressOf = (url: string, values: Record<string, string>): string =>
  url.replace(/:(\w+)/g, (_, name: string) => values[name] ?? (name === 'external_id' ? KEY : 'missing'))

/** The table that a field of a body refers to; undefined where it is no reference. */
export function tableOf(name: string, schema: JsonSchema, resource: Resource | undefined): string | undefined {
  const declared = resource?.fields[name]?.spec.references
  if (declared) return declared
  if (schema.format !== 'uuid') return undefined
  const named = allResources.find(
    ({ singular }) => `${singular.replaceAll(' ', '_')}_id` === name.replace(/_ids$/, '_id'),
  )
  if (!named) throw new Error(`${name} is an id, but of which table?`)
  return named.table
}

/** The table that the ids in a list refer to, by its name: `key_ids`. */
const tableOfEach = (name: string, { items }: JsonSchema): string | undefined =>
  items && name.endsWith('_ids') ? tableOf(name, items, undefined) : undefined

interface Reference {
  /** As in error details: `individual_id`, `set[0].cylinder_id`. */
  path: string
  table: string
  /** A body in which this reference is `id` and everything else is in order. */
  bodyWith(id: string): unknown
}

/** Every place in a route's body that holds the id of another item. */
export function referencesIn(schema: TSchema, resource: Resource | undefined, ids: Ids): Reference[] {
  const { properties = {} } = schema as JsonSchema
  return Object.entries(properties).flatMap(([name, property]): Reference[] => {
    const table = tableOf(name, property, resource)
    const base = () => requiredBody(schema, resource, ids)
    if (table) return [{ path: name, table, bodyWith: (id) => ({ ...base(), [name]: id }) }]
    const several = tableOfEach(name, property)
    if (several) return [{ path: `${name}[0]`, table: several, bodyWith: (id) => ({ ...base(), [name]: [id] }) }]
    if (!property.items?.properties) return []
    return referencesIn(property.items as TSchema, undefined, ids).map((inner) => ({
      path: `${name}[0].${inner.path}`,
      table: inner.table,
      bodyWith: (id) => ({ ...base(), [name]: [inner.bodyWith(id)] }),
    }))
  })
}

/** A body that the schema accepts, with what is required and no more. */
export function requiredBody(schema: TSchema, resource: Resource | undefined, ids: Ids): Record<string, unknown> {
  const { properties = {}, required = [], minProperties = 0 } = schema as JsonSchema
  const names = new Set([...required, ...Object.keys(properties).slice(0, minProperties)])
  return Object.fromEntries(
    [...names].map((name) => [name, valueFor(name, properties[name] as JsonSchema, resource, ids)]),
  )
}

/** A body that the schema accepts, with all that can be set but references that need not be. */
export function fullBody(schema: TSchema, resource: Resource | undefined, ids: Ids): Record<string, unknown> {
  const { properties = {}, maxProperties = Number.POSITIVE_INFINITY } = schema as JsonSchema
  const plain = Object.entries(properties).filter(([name, property]) => !tableOf(name, property, resource))
  const settable = plain.map(([name, property]) => [name, valueFor(name, property, resource, ids)] as const)
  return { ...Object.fromEntries(settable.slice(0, maxProperties)), ...requiredBody(schema, resource, ids) }
}

function valueFor(name: string, schema: JsonSchema, resource: Resource | undefined, ids: Ids): unknown {
  const table = tableOf(name, schema, resource)
  if (table) return ids[table] ?? null
  const several = tableOfEach(name, schema)
  if (several) return ids[several] ? [ids[several]] : []
  const types = [schema.type].flat()
  const example = schema.examples?.[0] ?? schema.default
  if (example !== undefined) return example
  if (schema.enum) return schema.enum[0]
  if (types.includes('array'))
    return schema.items?.properties ? [requiredBody(schema.items as TSchema, undefined, ids)] : []
  if (types.includes('null')) return null
  if (types.includes('integer') || types.includes('number')) return schema.minimum ?? 1
  if (types.includes('boolean')) return true
  if (types.includes('object')) return {}
  return 'text'
}

/** Schedules and calendars have no place, and whoever may read any reads all: of a feed, everything but those. */
export function unshared(app: FastifyInstance, { url }: RouteEntry): string {
  if (!/^\/api\/v1\/changes\b/.test(url)) return ''
  const nouns = app.routeTable.flatMap(({ doc }) => doc?.list?.resource.noun ?? [])
  return `?resource=${[...new Set(nouns)].filter((noun) => noun !== 'schedules' && noun !== 'calendars').join(',')}`
}

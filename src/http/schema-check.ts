import { lineFault } from '../core/line.ts'
import type { TSchema } from '../core/schema.ts'
import { isDateTime } from '../core/time/date-time.ts'
import { sure } from '../core/typed.ts'
import { parseScalar } from '../query/operands.ts'

/** What of a value does not fit which word of its schema. */
export interface Fault {
  instancePath: string
  keyword: string
  /** The field that is missing, or that nobody knows. */
  params: { missingProperty?: string; additionalProperty?: string }
  parentSchema: TSchema
  data: unknown
}

/** Takes faults; `false`: enough of them. */
type Report = (fault: Fault) => boolean
/** Goes through a value; `false`: enough was found. */
export type Check = (data: unknown, path: string, report: Report) => boolean

/** What a word of a schema says of values of its kind. */
interface Word {
  readonly name: string
  readonly kind?: 'number' | 'string' | 'array' | 'object'
  make(schema: TSchema, value: never): Check
}

const isObject = (data: unknown): data is Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data)

const kinds: Readonly<Record<string, (data: unknown) => boolean>> = {
  string: (data) => typeof data === 'string',
  number: (data) => Number.isFinite(data),
  integer: (data) => Number.isInteger(data),
  boolean: (data) => typeof data === 'boolean',
  null: (data) => data === null,
  array: (data) => Array.isArray(data),
  object: isObject,
}

/** A body means the same as a filter: no `urn:uuid:…`, and no year 0, which PostgreSQL does not take. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  uuid: (text) => parseScalar('uuid', text) !== undefined,
  date: (text) => parseScalar('date', text) !== undefined,
  'date-time': isDateTime,
  line: (text) => lineFault(text) === undefined,
}

/** As people count them, not by UTF-16. */
function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** A word that is true of a value or not. */
const plain = <Value, Data>(
  name: string,
  kind: Word['kind'],
  fits: (value: Value) => (data: Data) => boolean,
): Word => ({
  name,
  ...(kind ? { kind } : {}),
  make(schema, value) {
    const isFit = fits(value) as (data: unknown) => boolean
    return (data, path, report) => isFit(data) || report(faultOf(name, schema, data, path))
  },
})

const faultOf = (keyword: string, parentSchema: TSchema, data: unknown, instancePath: string): Fault => ({
  instancePath,
  keyword,
  params: {},
  parentSchema,
  data,
})

const enumeration = plain('enum', undefined, (values: unknown[]) => {
  if (values.some((value) => typeof value === 'object' && value !== null))
    throw new Error('no body can be checked for one of several things, but for texts, numbers and the like')
  const known = new Set(values)
  return (data) => known.has(data)
})

const anyOf: Word = {
  name: 'anyOf',
  make(schema, schemas: TSchema[]) {
    const checks = schemas.map(checkOf)
    return (data, path, report) => {
      const faults: Fault[] = []
      const isFit = checks.some((check) => {
        const before = faults.length
        // One of each is enough to know, and to tell.
        check(data, path, (fault) => faults.push(fault) < 0)
        return faults.length === before
      })
      return isFit || [...faults, faultOf('anyOf', schema, data, path)].every((fault) => report(fault))
    }
  },
}

const items: Word = {
  name: 'items',
  kind: 'array',
  make(_schema, item: TSchema) {
    const check = checkOf(item)
    return (data, path, report) => (data as unknown[]).every((value, index) => check(value, `${path}/${index}`, report))
  },
}

const COMPARED = new Set(['string', 'number', 'integer'])

/** Of texts and numbers; what is none of them has its own fault. */
const uniqueItems: Word = {
  name: 'uniqueItems',
  kind: 'array',
  make(schema) {
    const types = [schema.items?.type ?? []].flat()
    if (types.length === 0 || types.some((type) => !COMPARED.has(type)))
      throw new Error('no body can be checked for things of which none is there twice, but for texts and numbers')
    // An id is the same however it is typed.
    const meant = schema.items?.format === 'uuid' ? (item: unknown) => String(item).toLowerCase() : undefined
    return (data, path, report) => {
      const texts = (data as unknown[]).filter((item) => types.some((type) => kinds[type]?.(item)))
      const alike = meant ? texts.map(meant) : texts
      return new Set(alike).size === alike.length || report(faultOf('uniqueItems', schema, data, path))
    }
  },
}

const required: Word = {
  name: 'required',
  kind: 'object',
  make: (schema, names: string[]) => (data, path, report) =>
    names.every(
      (name) =>
        (data as Record<string, unknown>)[name] !== undefined ||
        report({ ...faultOf('required', schema, data, path), params: { missingProperty: name } }),
    ),
}

const additionalProperties: Word = {
  name: 'additionalProperties',
  kind: 'object',
  make(schema, others: TSchema | boolean) {
    if (others === true) return () => true
    const known = new Set(Object.keys(schema.properties ?? {}))
    const check = others === false ? undefined : checkOf(others)
    const refuse = (name: string, data: unknown, path: string, report: Report) =>
      report({ ...faultOf('additionalProperties', schema, data, path), params: { additionalProperty: name } })
    return (data, path, report) =>
      Object.entries(data as object).every(
        ([name, value]) =>
          known.has(name) ||
          (check ? check(value, `${path}/${escaped(name)}`, report) : refuse(name, data, path, report)),
      )
  },
}

const properties: Word = {
  name: 'properties',
  kind: 'object',
  make(_schema, declared: Record<string, TSchema>) {
    const checks = Object.entries(declared).map(([name, schema]) => ({
      name,
      step: `/${escaped(name)}`,
      check: checkOf(schema),
    }))
    return (data, path, report) =>
      checks.every(({ name, step, check }) => {
        const value = (data as Record<string, unknown>)[name]
        return value === undefined || check(value, path + step, report)
      })
  },
}

/** A step of a JSON Pointer. */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Every word that a body's schema may have, in the order in which faults are told. */
const words: readonly Word[] = [
  enumeration,
  anyOf,
  plain('maximum', 'number', (most: number) => (data: number) => data <= most),
  plain('minimum', 'number', (least: number) => (data: number) => data >= least),
  plain('maxLength', 'string', (most: number) => (data: string) => data.length <= most || charactersIn(data) <= most),
  plain(
    'minLength',
    'string',
    (least: number) => (data: string) => data.length >= least && charactersIn(data) >= least,
  ),
  plain('pattern', 'string', (pattern: string) => {
    const form = new RegExp(pattern, 'u')
    return (data: string) => form.test(data)
  }),
  plain('format', 'string', (name: string) => {
    const isFit = formats[name]
    if (!isFit) throw new Error(`no body can be checked for the format "${name}"`)
    return isFit
  }),
  plain('maxItems', 'array', (most: number) => (data: unknown[]) => data.length <= most),
  plain('minItems', 'array', (least: number) => (data: unknown[]) => data.length >= least),
  items,
  uniqueItems,
  plain('maxProperties', 'object', (most: number) => (data: object) => Object.keys(data).length <= most),
  plain('minProperties', 'object', (least: number) => (data: object) => Object.keys(data).length >= least),
  required,
  additionalProperties,
  properties,
]

const known = new Set(['type', ...words.map(({ name }) => name)])
/** What describes a value and says nothing of whether it fits. */
const NOTES = /^(title|description|examples?|default|deprecated|readOnly|writeOnly|x-.+)$/

/**
 * Makes what a value is checked by: a function for each word, one after the other. It costs microseconds, where making
 * code of a schema took the loop some thirty milliseconds for the first body of each kind.
 */
export function checkOf(schema: TSchema): Check {
  for (const name of Object.keys(schema))
    if (!known.has(name) && !NOTES.test(name)) throw new Error(`no body can be checked for the word "${name}"`)
  const types = [schema.type ?? []].flat()
  const isTyped = (data: unknown) => types.some((type) => kinds[type]?.(data))
  const wrongType: Check = (data, path, report) => report(faultOf('type', schema, data, path))
  const own = words.filter(({ name }) => schema[name] !== undefined)
  // One type with words of its own is looked at with them: what is true of any value is told before.
  const [only] = types
  const isAmongWords = types.length === 1 && own.some(({ kind }) => kind === only)
  const general = checksOf(own, schema, undefined)
  const byKind = (['number', 'string', 'array', 'object'] as const).flatMap((kind) => {
    const checks = checksOf(own, schema, kind)
    return checks.length > 0 ? [{ isOne: sure(kinds[kind]), checks, isOnly: isAmongWords && kind === only }] : []
  })
  return (data, path, report) => {
    if (types.length > 0 && !isAmongWords && !isTyped(data) && !wrongType(data, path, report)) return false
    if (!general.every((check) => check(data, path, report))) return false
    return byKind.every(({ isOne, checks, isOnly }) =>
      isOne(data) ? checks.every((check) => check(data, path, report)) : !isOnly || wrongType(data, path, report),
    )
  }
}

const checksOf = (own: readonly Word[], schema: TSchema, kind: Word['kind']): Check[] =>
  own.filter((word) => word.kind === kind).map(({ name, make }) => make(schema, schema[name] as never))

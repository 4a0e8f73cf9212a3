import { lineFault } from '../core/line.ts'
import type { TSchema } from '../core/schema.ts'
import { didYouMean, meant } from '../query/hints.ts'
import { patternInWords } from './pattern-words.ts'
import type { Fault } from './schema-check.ts'

/** So many values are listed; whoever needs one of more looks into the reference. */
const LISTED = 50
/** Neither repeated in an answer, which others may see, nor suggested. */
const SECRET = /pass(word|phrase)|secret|token|pin$|^code$|response|settings/i

/** A sentence that says what is expected, with an example, and what came instead. */
export function faultInWords(fault: Fault, whole = 'The body'): string {
  const parent = pathOf(fault)
  const at = (name: unknown) => [parent, name].filter(Boolean).join('.')
  const schema = fault.parentSchema
  if (fault.keyword === 'additionalProperties') {
    const name = String(fault.params.additionalProperty)
    return (
      `${at(name)} is not a field that can be set ` +
      `here${didYouMean(meant(name, Object.keys(schema.properties ?? {})))}`
    )
  }
  if (fault.keyword === 'required') {
    const name = String(fault.params.missingProperty)
    return `${at(name)} is required: ${expected(schema.properties?.[name] ?? {}, name)}`
  }
  const subject = parent || whole
  if (fault.keyword === 'uniqueItems') return `${subject} must not have the same item twice`
  if (fault.keyword === 'minProperties') return `${subject} must NOT have fewer than ${schema.minProperties} properties`
  if (fault.keyword === 'maxProperties') return `${subject} must NOT have more than ${schema.maxProperties} properties`
  return `${subject} must be ${expected(schema, parent, fault.data)}${got(fault, parent)}`
}

const isSecret = (schema: TSchema | undefined, path: string): boolean =>
  schema?.writeOnly === true || SECRET.test(path.split('.').findLast((part) => /\D/.test(part)) ?? '')

/** As it stands in `error.details`: `windows.0.start`. */
export const pathOf = ({ instancePath }: Pick<Fault, 'instancePath'>): string =>
  instancePath.slice(1).replaceAll('/', '.')

function expected(schema: TSchema, path: string, data?: unknown): string {
  const types = [schema.type ?? []].flat()
  const kind = types.find((type) => type !== 'null')
  const example =
    schema.examples?.find((value) => value !== null && typeof value !== 'object') ??
    formatOf(schema)?.[1] ??
    patternOf(schema)?.example
  const such =
    example === undefined || example === '' || schema.enum || isSecret(schema, path)
      ? ''
      : `, such as ${JSON.stringify(example)}`
  return `${kindInWords(schema, kind, data)}${types.includes('null') ? ' or null' : ''}${such}`
}

function kindInWords(schema: TSchema, kind: string | undefined, data: unknown): string {
  if (schema.enum) return choice(schema.enum.filter((value) => value !== null).map(String), data)
  switch (kind) {
    case 'integer':
      return `a whole number${range(schema)}`
    case 'number':
      return `a number${range(schema)}`
    case 'boolean':
      return 'true or false'
    case 'string':
      return textInWords(schema)
    case 'array':
      return `a list${amount(schema.minItems, schema.maxItems, 'items')}`
    case 'object':
      return 'an object'
    default:
      return 'another value'
  }
}

function choice(values: readonly string[], data: unknown): string {
  const hint = typeof data === 'string' ? didYouMean(meant(data, values)) : ''
  return values.length > LISTED
    ? `one of the ${values.length} values in the reference${hint}`
    : `one of ${values.join(', ')}${hint}`
}

/** In words, and an example where the field has none. */
const FORMATS: Readonly<Record<string, readonly [string, string]>> = {
  uuid: ['a UUID', '01997d2a-4c00-7000-8000-000000000001'],
  date: ['a date of the calendar', '2027-03-31'],
  'date-time': ['an RFC 3339 timestamp with an offset', '2026-05-04T08:30:00.000Z'],
}

const formatOf = ({ format }: TSchema) =>
  typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined

const patternOf = ({ pattern }: TSchema) => (typeof pattern === 'string' ? patternInWords(pattern) : undefined)

function textInWords(schema: TSchema): string {
  const [known] = formatOf(schema) ?? []
  if (known !== undefined) return known
  const { format, pattern } = schema
  const words = patternOf(schema)?.words
  if (words !== undefined) return words
  const text = format === 'line' ? 'one line of visible text' : 'text'
  const form = typeof pattern === 'string' ? ` of the form ${pattern}` : ''
  return `${text}${form}${amount(schema.minLength, schema.maxLength, 'characters')}`
}

function range({ minimum, maximum }: TSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  return minimum !== undefined ? ` of at least ${minimum}` : maximum !== undefined ? ` of at most ${maximum}` : ''
}

function amount(least: unknown, most: unknown, what: string): string {
  if (least && most !== undefined) return ` of ${least} to ${most} ${what}`
  return least ? ` of at least ${least} ${what}` : most === undefined ? '' : ` of at most ${most} ${what}`
}

function got({ keyword, parentSchema, data }: Fault, path: string): string {
  if (keyword === 'maxLength' || keyword === 'minLength') return `; got ${[...String(data)].length} characters`
  if ((keyword === 'maxItems' || keyword === 'minItems') && Array.isArray(data)) return `; got ${data.length} items`
  if (data === null || data === undefined) return '; got null'
  if (typeof data === 'object') return `; got ${Array.isArray(data) ? 'a list' : 'an object'}`
  if (isSecret(parentSchema, path)) return ''
  if (keyword === 'format' && parentSchema?.format === 'line') return `; got ${lineFault(String(data))}`
  const text = JSON.stringify(data)
  return text.length > 60 ? '' : `; got ${text}`
}

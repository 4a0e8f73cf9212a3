import { invalid } from '../core/errors.ts'
import { didYouMean, meant } from './hints.ts'
import { isInteger, parseScalar } from './operands.ts'
import { eachPair, quote } from './pairs.ts'

/** A query parameter of its own, beside the list grammar's. `previous` is what an earlier occurrence gave. */
export interface Parameter<T> {
  readonly isRepeatable?: true
  /** Where a field has its name: whether the value is meant for the parameter. All others are filters. */
  takes?(value: string): boolean
  parse(name: string, value: string, previous: T | undefined): T
}

export type ParameterSet = Readonly<Record<string, Parameter<unknown>>>
/** A parameter that is not in the query is absent. */
export type ValuesOf<P extends ParameterSet> = {
  -readonly [K in keyof P]?: P[K] extends Parameter<infer T> ? T : never
}

const MAX_LIST_ITEMS = 100

export const fault = (name: string, reason: string, piece: string, expected: string) =>
  invalid(name, reason, `Parameter ${quote(name)}: ${quote(piece)} is not accepted; expected ${expected}`)

/** Faults are `<prefix>.not_integer` and `<prefix>.out_of_range`. */
export function parseBounded(name: string, prefix: string, value: string, minimum: number, maximum: number): number {
  const expected = `an integer from ${minimum} to ${maximum}, in plain digits`
  if (!isInteger(value)) throw fault(name, `${prefix}.not_integer`, value, expected)
  const number = Number(value)
  if (number < minimum || number > maximum) throw fault(name, `${prefix}.out_of_range`, value, expected)
  return number
}

function parseUuid(name: string, value: string): string {
  const uuid = parseScalar('uuid', value)
  if (uuid === undefined) throw fault(name, 'param.not_uuid', value, 'a UUID')
  return uuid as string
}

export const uuidParameter: Parameter<string> = { parse: parseUuid }

/** Comma-separated and repeatable: the union, each id once. */
export const uuidListParameter: Parameter<string[]> = {
  isRepeatable: true,
  parse(name, value, previous = []) {
    const ids = new Set(previous)
    for (const item of value.split(',')) ids.add(parseUuid(name, item))
    if (ids.size > MAX_LIST_ITEMS) throw fault(name, 'param.list_too_long', value, `at most ${MAX_LIST_ITEMS} UUIDs`)
    return [...ids]
  },
}

export const booleanParameter: Parameter<boolean> = {
  parse(name, value) {
    if (value !== 'true' && value !== 'false') throw fault(name, 'param.not_boolean', value, 'true or false')
    return value === 'true'
  },
}

/** An instant, to the millisecond (further digits are cut): `YYYY-MM-DDTHH:mm:ss.SSSZ`. */
export const timestampParameter: Parameter<string> = {
  parse(name, value) {
    const instant = parseScalar('timestamp', value) as string | undefined
    if (instant === undefined) {
      throw fault(name, 'param.not_timestamp', value, `an RFC 3339 timestamp or YYYY-MM-DD${plusHint(value)}`)
    }
    return `${instant.slice(0, 23)}Z`
  },
}

export const dateParameter: Parameter<string> = {
  parse(name, value) {
    const day = parseScalar('date', value)
    if (day === undefined) throw fault(name, 'param.not_date', value, 'a date of the calendar, YYYY-MM-DD')
    return day as string
  },
}

export const integerParameter = (minimum: number, maximum: number): Parameter<number> => ({
  parse: (name, value) => parseBounded(name, 'param', value, minimum, maximum),
})

/** "+" in a query is a space: the usual reason why a timestamp with an offset is refused. */
export const plusHint = (value: string): string => (value.includes(' ') ? ' (a "+" is written %2B)' : '')

export const findParameter = (declared: ParameterSet, name: string): Parameter<unknown> | undefined =>
  Object.hasOwn(declared, name) ? declared[name] : undefined

/** Puts one occurrence of a declared parameter into `values`. */
export function readParameter(
  parameter: Parameter<unknown>,
  values: Record<string, unknown>,
  name: string,
  value: string,
): void {
  if (Object.hasOwn(values, name) && !parameter.isRepeatable) throw repeatedParameter(name)
  values[name] = parameter.parse(name, value, values[name])
}

export const repeatedParameter = (name: string) =>
  invalid(name, 'param.repeated', `Parameter ${quote(name)} is given more than once; expected it once`)

/** `hint`: what was probably meant, where that is more than one of the names. */
export const unknownParameter = (name: string, offered: readonly string[], hint = meant(name, offered)) =>
  invalid(
    name,
    'param.unknown',
    `Parameter ${quote(name)} is not ` +
      `offered here${didYouMean(hint)}; ${offered.length ? `expected ${offered.join(', ')}` : 'none is'}`,
  )

/** For endpoints that are no lists: only the declared parameters, each checked. */
export function parseParameters<P extends ParameterSet>(rawQuery: string, declared: P): ValuesOf<P> {
  const values: Record<string, unknown> = {}
  eachPair(rawQuery, (key, value) => {
    const parameter = findParameter(declared, key)
    if (!parameter) throw unknownParameter(key, Object.keys(declared))
    readParameter(parameter, values, key, value)
  })
  return values as ValuesOf<P>
}

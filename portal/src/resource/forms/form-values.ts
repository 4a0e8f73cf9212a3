import { bodies } from '../../api/generated/bodies.ts'
import { secondsIn } from '../../i18n/duration.ts'
import { instantOf, wallClock } from '../../i18n/time-zone.ts'
import { inWords } from '../../typed.ts'
import type { FormFieldDef, FormSection, OwnKind, StructuredKind } from '../define-view.ts'
import type { BodyName } from '../resources.ts'

/** What the API says of a field of a body. */
interface BodyField {
  kind:
    | 'text'
    | 'prose'
    | 'number'
    | 'select'
    | 'switch'
    | 'reference'
    | 'date'
    | 'timestamp'
    | 'multi'
    | 'tags'
    | 'permissions'
    | 'json'
  required?: boolean
  nullable?: boolean
  values?: readonly string[]
  min?: number
  max?: number
  whole?: boolean
  default?: unknown
}

export interface FormField extends Omit<FormFieldDef, 'kind' | 'values'> {
  kind: BodyField['kind'] | 'password' | 'zone' | OwnKind | StructuredKind
  body: BodyField
  values: readonly string[]
}

export type Values = Record<string, unknown>

/** The fields of a form, in order: as the view lists them, as far as the body takes them. */
export function fieldsOf(body: BodyName, sections: readonly FormSection[]): FormField[] {
  return sections.flatMap(({ fields }) => fields.flatMap((def) => fieldOf(body, def) ?? []))
}

export function fieldOf(name: BodyName, def: string | FormFieldDef): FormField | undefined {
  const given = typeof def === 'string' ? { field: def } : def
  if (given.choices) {
    const { values } = given.choices
    return { ...given, kind: 'select', body: { kind: 'select', required: true, default: values[0] }, values }
  }
  // What `expand` makes something else of is asked for a new item alone.
  const isExpanded = name.endsWith('Create')
  if (given.isOwnNumber && !isExpanded) return undefined
  if (given.isOwnNumber)
    return { ...given, kind: 'number', body: { kind: 'number', nullable: true, whole: true }, values: [] }
  const known = inWords<BodyField>(bodies[name], given.field)
  if (!known && given.kind === 'references' && isExpanded)
    return { ...given, kind: 'references', body: { kind: 'reference' }, values: [] }
  if (!known) return undefined
  const body = given.isNeeded ? { ...known, required: true } : known
  return {
    ...given,
    kind:
      given.kind ??
      (given.field === 'time_zone' ? 'zone' : given.values && known.kind === 'text' ? 'select' : known.kind),
    body,
    values: given.values ?? known.values ?? [],
  }
}

const emptyOf = ({ kind, body }: FormField): unknown => {
  if (kind === 'switch') return body.default ?? false
  if (kind === 'references') return []
  if (kind === 'multi' || kind === 'tags' || kind === 'permissions') return body.default ?? []
  if (kind === 'reference' || kind === 'select') return body.default ?? null
  if (kind === 'windows' || kind === 'holiday_windows' || kind === 'days') return body.default ?? []
  if (kind === 'json') return body.default ?? {}
  return body.default ?? ''
}

/** What the inputs start with. Moments are shown and typed in the organization's time zone. */
export function startOf(fields: readonly FormField[], item: Values, timeZone: string): Values {
  return Object.fromEntries(
    fields.map((field) => {
      const value = item[field.field]
      if (value === undefined || value === null) return [field.field, emptyOf(field)]
      if (field.kind === 'references') return [field.field, [value].flat()]
      if (field.kind === 'timestamp')
        return [field.field, wallClock(String(value), timeZone).slice(0, 16).replace(' ', 'T')]
      return [field.field, value]
    }),
  )
}

const isEmpty = (value: unknown): boolean =>
  value === '' || value === null || (Array.isArray(value) && value.length === 0)

function sentAs({ kind, body }: FormField, value: unknown, timeZone: string): unknown {
  if (isEmpty(value)) return body.nullable ? null : value
  if (kind === 'timestamp') return instantOf(`${String(value).replace('T', ' ')}:00`, timeZone)
  if (kind === 'number') return Number(value)
  return value
}

/** A creation sends what was filled in, a change what is different. */
export function bodyOf(
  fields: readonly FormField[],
  values: Values,
  start: Values,
  timeZone: string,
  isEdit: boolean,
): Values {
  const body: Values = {}
  for (const field of fields) {
    const value = values[field.field]
    if (field.choices) continue
    if (isEdit ? JSON.stringify(value) === JSON.stringify(start[field.field]) : isEmpty(value)) continue
    body[field.field] = sentAs(field, value, timeZone)
  }
  return body
}

export const missing = (fields: readonly FormField[], values: Values): string[] =>
  fields.filter(({ body, field }) => body.required && isEmpty(values[field])).map(({ field }) => field)

/**
 * Durations that are none, or that the API does not take: each with the least and the most, in seconds, where it has
 * them.
 */
export function durationFaults(
  fields: readonly FormField[],
  values: Values,
): Map<string, { least: number | undefined; most: number | undefined }> {
  const faults = new Map<string, { least: number | undefined; most: number | undefined }>()
  for (const { field, kind, body } of fields) {
    const unit = kind === 'number' ? secondsIn(field) : 0
    const value = values[field]
    if (unit === 0 || isEmpty(value) || value === undefined) continue
    const { min = 0, max = Number.POSITIVE_INFINITY } = body
    if (typeof value === 'number' && value >= min && value <= max) continue
    faults.set(field, { least: body.min && body.min * unit, most: body.max && body.max * unit })
  }
  return faults
}

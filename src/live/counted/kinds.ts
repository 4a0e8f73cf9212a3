import { type EventKind, KIND_ALONE } from '../../db/along/event-stretches.ts'
import { type Condition, type Filter, isGroup } from '../../query/filters.ts'

/** What is asked for by filters, and counted by. */
export const FIELDS = [...KIND_ALONE, 'building_id'] as const

/** What an event is of; where it is seen from, where that is told apart. */
export type Kind = Pick<EventKind, (typeof KIND_ALONE)[number]> & Partial<EventKind>

/** Whether a kind is asked for; null where a database would not know either. */
export type KindTest = (kind: Kind) => boolean | null

/** How many there are of each kind: a number of a kind and its count, one after the other. */
export type KindCounts = number[]

/** Kinds that were seen, each with a number. */
export class Kinds {
  private readonly numbers = new Map<string, number>()
  private readonly list: Kind[] = []

  numberOf(kind: Kind): number {
    const key = [...FIELDS.map((field) => kind[field]), kind.system_id].join(' ')
    const known = this.numbers.get(key)
    if (known !== undefined) return known
    this.numbers.set(key, this.list.length)
    return this.list.push(kind) - 1
  }

  /** By number, what is made of those that are asked for. */
  fitting<T>(asked: readonly KindTest[], make: (kind: Kind) => T): Array<T | undefined> {
    return this.list.map((kind) => (isAsked(kind, asked) ? make(kind) : undefined))
  }
}

export const isAsked = (kind: Kind, asked: readonly KindTest[]): boolean => asked.every((test) => test(kind) === true)

/** A condition that can be told by an event's kind alone. */
export function kindTest(condition: Condition): KindTest | undefined {
  if (!isGroup(condition)) return filterTest(condition)
  const tests = condition.members.map(kindTest)
  if (!tests.every((test) => test !== undefined)) return undefined
  // One that decides is enough; where none does, not to know of one is not to know of all.
  const deciding = condition.group === 'or'
  return signed(condition.negated, (kind) => {
    const found = tests.map((test) => test(kind))
    if (found.includes(deciding)) return deciding
    return found.includes(null) ? null : !deciding
  })
}

function filterTest(filter: Filter): KindTest | undefined {
  const { operator, operand, negated } = filter
  const field = FIELDS.find((name) => name === filter.field)
  if (!field) return undefined
  if (operator === 'is') return signed(negated, (kind) => !kind[field] === (operand === 'null'))
  const isPattern = operator === 'like' || operator === 'ilike'
  if (isPattern ? !filter.values : operator !== 'eq' && operator !== 'neq' && operator !== 'in') return undefined
  const values: readonly unknown[] = (isPattern && filter.values) || (Array.isArray(operand) ? operand : [operand])
  return signed(negated !== (operator === 'neq'), (kind) => (kind[field] ? values.includes(kind[field]) : null))
}

const signed =
  (negated: boolean, test: KindTest): KindTest =>
  (kind) => {
    const found = test(kind)
    return found === null ? null : found !== negated
  }

const isOneOf =
  (...names: readonly string[]) =>
  (fields: readonly string[]): boolean =>
    fields.some((field) => names.includes(field))

/** Whether verdicts are asked for, which may come later than their events. */
export const isByVerdict = isOneOf('verdict', 'verdict_reason')
export const isByPlace = isOneOf('building_id')

import { type EventKind, KIND_ALONE } from '../../db/along/event-stretches.ts'
import { type Condition, type Filter, filtersIn, isGroup } from '../../query/filters.ts'

/** What is asked for by filters. */
const FIELDS = [...KIND_ALONE, 'building_id'] as const

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

  /** By number, whether it is asked for. */
  fitting(asked: readonly KindTest[]): boolean[] {
    return this.list.map((kind) => isAsked(kind, asked))
  }
}

export const isAsked = (kind: Kind, asked: readonly KindTest[]): boolean => asked.every((test) => test(kind) === true)

export function countFitting(counts: KindCounts, isFitting: readonly boolean[]): number {
  let sum = 0
  for (let at = 0; at < counts.length; at += 2) if (isFitting[counts[at] as number]) sum += counts[at + 1] as number
  return sum
}

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

function filterTest({ operator, operand, negated, ...asked }: Filter): KindTest | undefined {
  const field = FIELDS.find((name) => name === asked.field)
  if (!field) return undefined
  if (operator === 'is') return signed(negated, (kind) => !kind[field] === (operand === 'null'))
  if (operator !== 'eq' && operator !== 'neq' && operator !== 'in') return undefined
  const values: readonly unknown[] = Array.isArray(operand) ? operand : [operand]
  return signed(negated !== (operator === 'neq'), (kind) => (kind[field] ? values.includes(kind[field]) : null))
}

const signed =
  (negated: boolean, test: KindTest): KindTest =>
  (kind) => {
    const found = test(kind)
    return found === null ? null : found !== negated
  }

const isOf =
  (...names: readonly string[]) =>
  (conditions: readonly Condition[]): boolean =>
    filtersIn(conditions).some(({ field }) => names.includes(field))

/** Whether verdicts are asked for, which may come later than their events. */
export const isByVerdict = isOf('verdict', 'verdict_reason')
export const isByPlace = isOf('building_id')

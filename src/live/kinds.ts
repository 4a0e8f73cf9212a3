import type { Engine } from '../db/engine.ts'
import type { Sql } from '../db/sql.ts'
import { type Condition, isGroup } from '../query/filters.ts'

// Columns whose values are few, however many events there are. What they say never changes, unlike a verdict, which comes later.
const FIELDS = ['type', 'result', 'direction'] as const
type Field = (typeof FIELDS)[number]

export const KIND_COLUMNS = FIELDS.map((field) => `t.${field}`).join(', ')

/** What an event is of, in few words. */
export type Kind = Record<Field, string | null>

/** Values of which an event must have one. */
export interface AskedKind {
  field: Field
  values: readonly string[]
}

/** Kinds that were seen, each with a number. */
export class Kinds {
  private readonly numbers = new Map<string, number>()
  private readonly list: Kind[] = []

  numberOf(kind: Kind): number {
    const key = FIELDS.map((field) => kind[field] ?? '').join(' ')
    const known = this.numbers.get(key)
    if (known !== undefined) return known
    this.numbers.set(key, this.list.length)
    return this.list.push(kind) - 1
  }

  /** By number, whether it is asked for. */
  fitting(asked: readonly AskedKind[]): boolean[] {
    return this.list.map((kind) => asked.every(({ field, values }) => values.includes(kind[field] ?? '')))
  }
}

/** How many there are of each kind: a number of a kind and its count, one after the other. */
export type KindCounts = number[]

export function addKind(counts: KindCounts, kind: number, count: number): void {
  for (let at = 0; at < counts.length; at += 2) {
    if (counts[at] !== kind) continue
    counts[at + 1] = (counts[at + 1] as number) + count
    return
  }
  counts.push(kind, count)
}

export function countFitting(counts: KindCounts, isFitting: readonly boolean[]): number {
  let sum = 0
  for (let at = 0; at < counts.length; at += 2) if (isFitting[counts[at] as number]) sum += counts[at + 1] as number
  return sum
}

export function askedKind(condition: Condition): AskedKind | undefined {
  if (isGroup(condition) || condition.negated) return undefined
  const { field, operator, operand } = condition
  const known = FIELDS.find((name) => name === field)
  if (!known || (operator !== 'eq' && operator !== 'in')) return undefined
  return { field: known, values: (Array.isArray(operand) ? operand : [operand]).map(String) }
}

export const kindSql = (dialect: Engine['dialect'], asked: readonly AskedKind[]): Sql[] =>
  asked.map(({ field, values }) => dialect.inList(`t.${field}`, values, 'text'))

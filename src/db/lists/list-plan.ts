import type { OrderTerm } from '../../query/order.ts'
import type { ColumnOf, NullableOf } from '../../query/sql.ts'
import type { Resource } from '../resource.ts'

/** One order: every term the same way and never null, so that "after this row" is one comparison an index can serve. */
export interface SeekOrder {
  columns: string[]
  direction: 'asc' | 'desc'
}

/** A list's text, made once per shape; its values are bound each time. */
export interface ListPlan {
  /** The table as `t`. */
  from: string
  /** What is joined to it there, and wherever the order and its columns are asked for. */
  beside: string
  where: string
  /** How many conditions an index has to serve, if a page is to cost no more than its rows. */
  conditions: number
  order: string
  /** The values of the order, to be selected beside a row's id, and the order by those of `p`. */
  keys: string
  keyOrder: string
  /** What the order is made of, the tie-breaker included, and what of each term the caller sees. */
  terms: readonly OrderTerm[]
  column: ColumnOf
  isNullable: NullableOf
  /** A text index leads to the rows. */
  isLed: boolean
  /** The caller is limited to places. */
  isLimited: boolean
  seek: SeekOrder | undefined
  /** In the order in which it came, or the other way round. */
  isAsItGrew: boolean
  /** By fields that are written later than their row. */
  isOfLater: boolean
  /** What follows of the filters, said in so many words: an index without those that have no value is found by it. */
  present: string
  /**
   * A condition more that leaves the rows nearest to where the order begins: a page that is full of those is the first
   * one.
   */
  near: string | undefined
}

/** Where in the order of what only grows that lies which is asked for: nothing of it lies elsewhere up to `through`. */
export interface Stretches {
  /** From one place to another, in their order. */
  list: ReadonlyArray<readonly [from: number, to: number]>
  through: number
}

/** A list as somebody asks for it. */
export interface AskedList {
  resource: Resource
  plan: ListPlan
  stretches?: Stretches | undefined
  values: readonly unknown[]
}

import { raw, type Sql } from '../db/sql.ts'

/** Where an event stands among all that happened: what came at the same moment goes by the order of the feed. */
export interface Place {
  readonly at: string
  readonly sequence: number
}

/** When an event happened, as `momentOf` says it of one; the index of entries is by the same words. */
export const momentIn = (alias: string): Sql => {
  const told = `coalesce(${alias}.happened_at, ${alias}.occurred_at)`
  return raw(`case when ${told} > ${alias}.received_at then ${alias}.received_at else ${told} end`)
}

import { type Sql, sql } from '../db/sql.ts'

/**
 * What commands have set of these doors (`t`) ends now. It is kept: what held until then is known when somebody asks
 * about a moment before.
 */
export const endOverrides = (tx: { run(statement: Sql): Promise<number> }, which: Sql): Promise<number> =>
  tx.run(sql`update door_overrides as t set until = :now
    where t.org = :org and (t.until is null or t.until > :now) and ${which}`)

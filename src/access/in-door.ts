import { raw, type Sql } from '../db/sql.ts'

/** A cylinder that is in a door: whatever opens it opens that door, though it be defective. */
export const isInDoor = (row: string): Sql =>
  raw(`${row}.access_point_id is not null and ${row}.status in ('installed', 'defective')`)

import { parsed } from '../../db/assignments.ts'
import type { Tx } from '../../db/change.ts'
import type { OrgHandle } from '../../db/org.ts'
import { sealAll, unseal } from '../../db/sealing.ts'
import { raw, sql } from '../../db/sql.ts'

/** What is kept of a row: its cells as they were sent, and what is wrong with them, which repeats some. */
type Part = 'cells' | 'errors'

/**
 * Rows are kept sealed, whole: which column holds a PIN is guessed by its heading, one that is passed over may hold
 * another, and in a row that slipped by a cell it stands anywhere.
 */
export async function sealRows(tx: Tx, importId: string, part: Part): Promise<(row: number, value: unknown) => string> {
  const seal = await sealAll(tx)
  return (row, value) => JSON.stringify(seal(JSON.stringify(value), contextOf(importId, row, part)))
}

const contextOf = (importId: string, row: number, part: Part): string => `import ${importId} row ${row} ${part}`

/** As it was before it was sealed; rows of an earlier version are not. */
export function openRow<T>(handle: OrgHandle, importId: string, row: number, part: Part, stored: string | T): T {
  const text = typeof stored === 'string' && !stored.startsWith(SEALED) ? parsed<string | T>(stored) : stored
  return typeof text === 'string' ? JSON.parse(unseal(handle, text, contextOf(importId, row, part))) : text
}

const SEALED = 'sealed.'
const AT_ONCE = 500

/** Seals some of what an earlier version stored as it is; false: there was none. */
export async function sealStoredRows(tx: Tx): Promise<boolean> {
  let isFound = false
  for (const part of ['cells', 'errors'] as const) {
    const rows = await tx.all<{
      import_id: string
      row_number: number
      value: unknown
    }>(sql`select t.import_id, t.row_number, t.${raw(part)} as value
      from import_rows t where t.org = :org and cast(t.${raw(part)} as text) like '[%' limit ${AT_ONCE}`)
    for (const { import_id, row_number, value } of rows) {
      const seal = await sealRows(tx, import_id, part)
      await tx.aside(sql`update import_rows as t set ${raw(part)} =
        ${seal(row_number, openRow(tx, import_id, row_number, part, value))}
        where t.org = :org and t.import_id = ${import_id} and t.row_number = ${row_number}`)
    }
    isFound ||= rows.length > 0
  }
  return isFound
}

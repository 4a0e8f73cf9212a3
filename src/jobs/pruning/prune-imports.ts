import type { Engine } from '../../db/engine.ts'
import { removeBefore } from './remove-before.ts'

/** As long as the file of failed rows can be fetched. */
const KEEP_MS = 14 * 86_400_000

const OLD = `(org, import_id) in (select i.org, i.id from imports i where i.created_at < $1)`

/**
 * Removes imports and what is left of their rows, those first: they may be many, and would go with the import in one
 * statement.
 */
export function pruneImports(engine: Engine, now: string): Promise<number> {
  const before = new Date(Date.parse(now) - KEEP_MS).toISOString()
  return removeBefore(engine, ['import_rows', OLD, before], ['imports', 'created_at < $1', before])
}

import { searchWords } from '../../core/fold.ts'
import type { Session } from '../engine.ts'

/**
 * What migration 30 made searchable of rows that are seen in part. As it was then: what is added later is folded when
 * it is written.
 */
const columns: Record<string, readonly string[]> = {
  individuals: ['display_name', 'company'],
  access_groups: ['name'],
  locking_systems: ['name', 'number', 'manufacturer', 'product'],
  access_control_systems: ['name', 'kind', 'vendor', 'model'],
  users: ['name'],
  service_users: ['name'],
}

/** Rows that an earlier version wrote get the folded text that those who see them in part find them by. */
export async function foldSeenTexts(session: Session): Promise<void> {
  for (const [table, names] of Object.entries(columns)) {
    const rows = await session.all<{ org: number; id: string; text: string }>(
      `select org, id, ${names.map((name) => `coalesce(${name}, '')`).join(` || ' ' || `)} as text from ${table}`,
      [],
    )
    for (const { org, id, text } of rows)
      await session.run(`update ${table} set seen_text = $1 where org = $2 and id = $3`, [
        searchWords(text).join(' '),
        org,
        id,
      ])
  }
}

import { searchWords } from '../../core/fold.ts'
import type { Session } from '../engine.ts'

/** What migration 16 made searchable, by what. As it was then: what is added later is folded when it is written. */
const columns: Record<string, readonly string[]> = {
  roles: ['name', 'description'],
  tokens: ['name', 'last_four', 'external_id'],
  passkeys: ['name'],
  external_identities: ['issuer', 'subject', 'external_id'],
  access_grants: ['reason', 'external_id'],
  key_handovers: ['purpose', 'external_id'],
}

/** Rows that an earlier version wrote get the folded text that they are found by. */
export async function foldSearchTexts(session: Session): Promise<void> {
  for (const [table, names] of Object.entries(columns)) {
    const rows = await session.all<{ org: number; id: string; text: string }>(
      `select org, id, ${names.map((name) => `coalesce(${name}, '')`).join(` || ' ' || `)} as text from ${table}`,
      [],
    )
    for (const { org, id, text } of rows) {
      const folded = searchWords(text).join(' ')
      if (folded !== '')
        await session.run(`update ${table} set search_text = $1 where org = $2 and id = $3`, [folded, org, id])
    }
  }
}

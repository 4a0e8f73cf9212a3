import type { Engine } from '../db/engine.ts'
import type { AnyRow, Resource } from '../db/resource.ts'
import { searchText } from '../db/rows.ts'
import { externalIdentities } from '../identity/external-identities/schema.ts'
import { passkeys } from '../identity/passkeys/schema.ts'
import { roles } from '../identity/roles/schema.ts'
import { tokens } from '../identity/tokens/schema.ts'
import { accessGrants } from '../resources/access-grants/schema.ts'
import { keyHandovers } from '../resources/key-handovers/schema.ts'

/** What earlier versions stored without a text to search in. */
const laterSearchable: readonly Resource[] = [roles, tokens, passkeys, externalIdentities, accessGrants, keyHandovers]

/** At the start: rows that have something to be found by, and no folded text of it, get one. A second time it finds none. */
export async function fillSearchTexts(engine: Engine): Promise<void> {
  for (const resource of laterSearchable) {
    const has = resource.search.map((name) => `t.${name} <> ''`).join(' or ')
    const rows = await engine.reader.all<AnyRow>(
      `select t.org, t.id, ${resource.search.map((name) => `t.${name}`).join(', ')} from ${resource.table} t where t.search_text = '' and (${has})`,
      [],
    )
    if (rows.length === 0) continue
    await engine.transaction(async (session) => {
      for (const row of rows) {
        const text = searchText(resource, row)
        await session.run(`update ${resource.table} set search_text = $1 where org = $2 and id = $3 and search_text = ''`, [
          text,
          row.org,
          row.id,
        ])
      }
    })
  }
}

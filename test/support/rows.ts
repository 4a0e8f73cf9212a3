import { hash } from 'node:crypto'
import type { Engine } from '../../src/db/engine.ts'
import { tenantTables } from '../../src/db/tables.ts'

/** The number of rows of every table, and the organizations' versions: what moves when anything is written. */
export async function countRows(engine: Engine): Promise<Record<string, number>> {
  const tables = [...tenantTables].map((table) => `(select count(*) from ${table}) as ${table}`)
  const [counts] = await engine.reader.all<Record<string, number>>(
    `select (select sum(data_version) from organizations) as versions, ${tables.join(', ')}`,
    [],
  )
  return counts ?? {}
}

/** All that is stored, as text: to see what is not. */
export async function textOfRows(engine: Engine): Promise<string> {
  const texts: string[] = []
  for (const table of ['organizations', ...tenantTables])
    texts.push(
      JSON.stringify(await engine.reader.all(`select * from ${table}`, []), (_, value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
      ),
    )
  return texts.join('\n')
}

/** A digest of every row of every table, but for when tokens were last used, which no request is asked to change. */
export async function digestRows(engine: Engine): Promise<Record<string, string>> {
  const digests: Record<string, string> = {}
  for (const table of ['organizations', ...tenantTables]) {
    const rows = await engine.reader.all<Record<string, unknown>>(`select * from ${table}`, [])
    const texts = rows.map(({ last_used_at: _, last_used_ip: __, ...row }) => JSON.stringify(row)).sort()
    digests[table] = hash('sha256', texts.join('\n'))
  }
  return digests
}

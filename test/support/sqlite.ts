import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/db/migrate.ts'
import { openSqlite } from '../../src/db/sqlite/sqlite.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A SQLite file with today's schema and nothing in it, to be copied: migrating takes most of a second. */
    migratedFile: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-migrated-'))
  const file = join(folder, 'gatehouse.db')
  const engine = openSqlite(file)
  await migrate(engine)
  await engine.close()
  project.provide('migratedFile', file)
  return () => rm(folder, { recursive: true, force: true })
}

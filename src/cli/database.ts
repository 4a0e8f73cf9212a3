import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { allResources } from '../all-resources.ts'
import { openAuditKey } from '../audit/key.ts'
import type { Config } from '../config.ts'
import { type Actor, signAuditWith } from '../db/audit.ts'
import type { Engine } from '../db/engine.ts'
import { migrate } from '../db/migrate.ts'
import { declareResources } from '../db/resources.ts'
import { openSqlite } from '../db/sqlite/sqlite.ts'
import { isDamage } from '../db/sqlite/storage.ts'
import { CommandError } from './command.ts'

/** Who did what is done from here. */
export const commandLine: Actor = { kind: 'command_line', id: null, name: 'command line', address: null, reqId: null }

export const sqlitePath = (config: Config): string => join(config.dataDir, 'gatehouse.db')

/** `serving`: requests are answered from it, and have budgets; a command takes its time. */
export async function openDatabase(config: Config, serving?: { onError: (error: Error) => void }): Promise<Engine> {
  const engine = await open(config, serving)
  signAuditWith(engine, () => openAuditKey(config).signer)
  return engine
}

async function open(config: Config, serving?: { onError: (error: Error) => void }): Promise<Engine> {
  try {
    if (config.databaseUrl === undefined) return openSqlite(sqlitePath(config), { isShared: config.workers > 1 })
    const { openPostgres } = await import('../db/postgres/postgres.ts')
    return await openPostgres(config.databaseUrl, {
      poolSize: config.databasePool,
      onError: serving?.onError ?? (() => undefined),
      isUnhurried: serving === undefined,
    })
  } catch (error) {
    const way = isDamage(error) ? '. Restore it from a backup: gatehouse restore FILE' : ''
    throw new CommandError(`${placeOf(config)} cannot be opened: ${innermost(error)}${way}`, { cause: error })
  }
}

/** Opens, brings the schema up to date, works, closes. */
export async function withDatabase<T>(config: Config, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openDatabase(config)
  try {
    await migrate(engine)
    declareResources(engine, allResources)
    return await work(engine)
  } finally {
    await engine.close()
  }
}

/** The file of the embedded database, which must be there. */
export function existingSqlite(config: Config): string {
  const path = sqlitePath(config)
  if (!existsSync(path))
    throw new CommandError(`There is no database at ${path}; set DATA_DIR to the folder that holds it.`)
  return path
}

/** For commands that look at a database as it is and must not make or change one. */
export async function withExistingDatabase<T>(config: Config, work: (engine: Engine) => Promise<T>): Promise<T> {
  if (config.databaseUrl === undefined) existingSqlite(config)
  const engine = await openDatabase(config)
  try {
    declareResources(engine, allResources)
    return await work(engine)
  } finally {
    await engine.close()
  }
}

/** Without the password that a URL may carry. */
function placeOf(config: Config): string {
  if (config.databaseUrl === undefined) return `The database ${sqlitePath(config)}`
  const url = URL.parse(config.databaseUrl)
  return url ? `The database ${url.host}${url.pathname}` : 'The database of DATABASE_URL'
}

/** The cause is what the operator can do something about. */
function innermost(error: unknown): string {
  let at = error
  while (at instanceof Error && at.cause !== undefined) at = at.cause
  if (at instanceof AggregateError && at.errors[0] instanceof Error) return at.errors[0].message
  return at instanceof Error ? at.message : String(at)
}

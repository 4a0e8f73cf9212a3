import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { findAuditKey } from '../audit/key.ts'
import { verifyAudit } from '../audit/verify.ts'
import type { Config } from '../config.ts'
import { sqliteNumberOf } from '../core/error-code.ts'
import { messageOf } from '../core/errors.ts'
import { migrate } from '../db/migrate.ts'
import { openSqlite } from '../db/sqlite/sqlite.ts'
import { CommandError, type Context, defineCommand } from './command.ts'
import { sqlitePath } from './database.ts'
import { makeWhole, syncToDisk } from './database-file.ts'
import { lockDataFolder } from './serving/data-folder-lock.ts'

/** Without the log and the shared memory of its own, a database would be given those of another. */
const COMPANIONS = ['-wal', '-shm']

export const restore = defineCommand({
  name: 'restore',
  summary: 'Puts a backup in the place of the database, after checking it. The service must be stopped.',
  details: `The backup must be whole, of this version's schema or an older one (then it is brought up to date),
and its audit log intact and signed by a key of this installation. What was there before is kept in
a folder beside it, together with what was remembered of the end of the audit log, which the backup
may not reach. FILE stays as it is. The keys (audit-signing-key.pem, secret-key) are not part of a
backup.`,
  positionals: ['FILE'],
  options: {
    'accept-audit-faults': {
      type: 'boolean',
      description: 'Restores it although its audit log is not intact, or signed by another key',
    },
  },
  async run(context, { 'accept-audit-faults': isLenient = false }, [given = '']) {
    const { config, say } = context
    if (config.databaseUrl !== undefined) {
      throw new CommandError(
        'PostgreSQL has its own tools for backups: use pg_restore --clean --dbname "$DATABASE_URL" gatehouse.dump',
      )
    }
    if (!existsSync(given)) throw new CommandError(`There is no file ${given}; nothing was changed.`)
    if (resolve(given) === resolve(sqlitePath(config)))
      throw new CommandError(`${given} is the database itself; nothing was changed.`)
    const lock = lockDataFolder(config, 'alone')
    // On the same disk as the database, so that it is put in place in one step.
    const folder = mkdtempSync(join(config.dataDir, '.restore-'))
    context.atExit(() => rmSync(folder, { recursive: true, force: true }))
    try {
      const copy = join(folder, 'gatehouse.db')
      copyWithLog(given, copy)
      refuseForeign(copy)
      const found = await check(context, copy, isLenient)
      settleFormer(config)
      const kept = putInPlace(context, copy)
      say(`Restored ${given}: ${found}.`)
      if (kept !== undefined) say(`What was there before is in ${kept}; remove it when it is not needed any more.`)
    } catch (error) {
      if (error instanceof CommandError) throw error
      throw new CommandError(`${given} was not restored; nothing was changed: ${messageOf(error)}`, { cause: error })
    } finally {
      rmSync(folder, { recursive: true, force: true })
      lock.release()
    }
    return undefined
  },
})

/** Whoever copied the files of a database by hand has the newest changes in its log. */
function copyWithLog(from: string, to: string): void {
  copyFileSync(from, to)
  if (existsSync(`${from}-wal`)) copyFileSync(`${from}-wal`, `${to}-wal`)
  chmodSync(to, 0o600)
}

/** SQLite opens an empty file as an empty database, and other programs have databases too. */
function refuseForeign(path: string): void {
  const db = new DatabaseSync(path)
  try {
    const tables = db
      .prepare(`select count(*) as n from sqlite_schema where name in ('migrations', 'organizations', 'audit_log')`)
      .get()
    if (tables?.n !== 3) throw new Error('it is no database of Gatehouse')
  } finally {
    db.close()
  }
}

/** Throws unless it is fit to be used; gives what was found, in words. */
async function check({ config, say }: Context, path: string, isLenient: boolean): Promise<string> {
  makeWhole(path)
  const engine = openSqlite(path)
  try {
    const { applied } = await migrate(engine)
    const keys = findAuditKey(config)?.trusted ?? new Map()
    const organizations = await engine.reader.all<{ key: number; name: string }>(
      'select key, name from organizations order by key',
      [],
    )
    let entries = 0
    for (const { key, name } of organizations) {
      const { rows, fault } = await verifyAudit(engine, key, { keys })
      entries += rows
      if (!fault) continue
      const words = `the audit log of ${name} does not hold (entry ${fault.sequence}: ${fault.fault})`
      if (!isLenient)
        throw new Error(
          `${words}. With the right audit-signing-key.pem in place it may; --accept-audit-faults restores it as it is`,
        )
      say(`Although ${words}, it is restored.`)
    }
    const schema = applied.length === 0 ? '' : `, its schema brought up to date (${applied.length} steps)`
    return (
      `${organizations.length} ${organizations.length === 1 ? 'organization' : 'organizations'}, ${entries} ` +
      `entries of the audit log, every page checked${schema}`
    )
  } finally {
    await engine.close()
  }
}

/** Takes what is in the log of the former database into it. One that is damaged is kept as it is, with its log. */
function settleFormer(config: Config): void {
  const path = sqlitePath(config)
  if (!existsSync(path)) return
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    db.exec('pragma journal_mode = delete')
  } catch (error) {
    if (sqliteNumberOf(error) === BUSY)
      throw new CommandError(`Another program has ${path} open: stop it first. Nothing was changed.`)
  } finally {
    db.close()
  }
}
const BUSY = 5

/** The former database goes first and its log after it: a log is never beside a database that is not its own. */
function putInPlace({ config, clock }: Context, copy: string): string | undefined {
  const path = sqlitePath(config)
  const former = [
    path,
    ...COMPANIONS.map((ending) => path + ending),
    join(config.dataDir, 'audit-witness.json'),
  ].filter((file) => existsSync(file))
  const kept = join(config.dataDir, `replaced-${clock.now().slice(0, 19).replaceAll(':', '')}Z`)
  if (former.length > 0) mkdirSync(kept, { mode: 0o700 })
  for (const file of former) renameSync(file, join(kept, basename(file)))
  syncToDisk(copy)
  renameSync(copy, path)
  syncToDisk(dirname(path))
  return former.length > 0 ? kept : undefined
}

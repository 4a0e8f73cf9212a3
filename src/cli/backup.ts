import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import type { Config } from '../config.ts'
import { inherited } from '../config.ts'
import { messageOf } from '../core/errors.ts'
import { migrate } from '../db/migrate.ts'
import { openSqlite } from '../db/sqlite/sqlite.ts'
import { CommandError, defineCommand } from './command.ts'
import { existingSqlite, withExistingDatabase } from './database.ts'
import { makeWhole, syncToDisk } from './database-file.ts'

/** All pages in one step, off the loop: between two steps a write of anybody else would make it begin again. */
const ALL_PAGES = 2 ** 31 - 1

export const backup = defineCommand({
  name: 'backup',
  summary: 'Copies the database into a file, while the service runs, and checks the copy.',
  details: `FILE is data/backups/gatehouse-<time>.db unless given; gatehouse restore puts it back. The keys are
not in the copy, neither the one that signs the audit log (audit-signing-key.pem) nor the one that
seals secrets (secret-key): keep them elsewhere too. Of PostgreSQL it is a dump by pg_dump where
that is installed, and else a file of SQLite with every row of one moment.`,
  positionals: ['[FILE]'],
  options: {
    logical: {
      type: 'boolean',
      description: 'PostgreSQL: a file of SQLite, row by row, although pg_dump is here; restore and copy take it',
    },
  },
  async run(context, { logical = false }, [given]) {
    const { config, clock, out, say } = context
    const way = config.databaseUrl === undefined ? 'pages' : logical || !(await canDump(config)) ? 'rows' : 'dump'
    const ending = way === 'dump' ? 'dump' : 'db'
    const file =
      given ?? join(config.dataDir, 'backups', `gatehouse-${clock.now().slice(0, 19).replaceAll(':', '')}Z.${ending}`)
    if (existsSync(file)) throw new CommandError(`${file} exists already; nothing was written.`)
    const stopped = context.untilStopped().then(() => {
      throw new Error('it was stopped')
    })
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      // In a folder that is ours alone until it is checked: what has the right name is whole.
      const folder = mkdtempSync(join(dirname(file), '.backup-'))
      context.atExit(() => rmSync(folder, { recursive: true, force: true }))
      const copy = join(folder, `gatehouse.${ending}`)
      await Promise.race([make[way](config, copy), stopped])
      chmodSync(copy, 0o600)
      if (way !== 'dump') makeWhole(copy)
      syncToDisk(copy)
      renameSync(copy, file)
      syncToDisk(dirname(file))
      rmSync(folder, { recursive: true })
    } catch (error) {
      throw new CommandError(`The backup to ${file} failed, and nothing is left of it: ${messageOf(error)}`, {
        cause: error,
      })
    }
    out(file)
    say(
      way === 'dump'
        ? 'PostgreSQL’s own tool puts it back: pg_restore --clean --if-exists --dbname "$DATABASE_URL" FILE'
        : 'The copy was checked and is whole.',
    )
    return undefined
  },
})

/** How the three kinds are made. */
const make = {
  async pages(config: Config, target: string): Promise<void> {
    const db = new DatabaseSync(existingSqlite(config), { timeout: 5000 })
    await copyDatabase(db, target, { rate: ALL_PAGES })
    db.close()
  },
  async rows(config: Config, target: string): Promise<void> {
    const { copyDatabase: copyRows } = await import('../db/copy/copy.ts')
    await withExistingDatabase(config, async (source) => {
      const engine = openSqlite(target)
      try {
        await migrate(engine)
        await copyRows(source, engine)
      } finally {
        await engine.close()
      }
    })
  },
  async dump({ databaseUrl = '' }: Config, target: string): Promise<void> {
    const url = new URL(databaseUrl)
    const password = decodeURIComponent(url.password)
    // Others on this machine see the arguments of a process, not its environment.
    url.password = ''
    const args = ['--format=custom', '--no-owner', `--file=${target}`, `--dbname=${url.href}`]
    await promisify(execFile)('pg_dump', args, {
      env: { ...inherited(), ...(password === '' ? {} : { PGPASSWORD: password }) },
    })
  },
}

/** A pg_dump that is older than the server refuses it. */
async function canDump(config: Config): Promise<boolean> {
  const { status, stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' })
  if (status !== 0) return false
  const [row] = await withExistingDatabase(config, (engine) =>
    engine.reader.all<{ server_version: string }>('show server_version', []),
  )
  const major = (text: string | undefined): number => Number(/\d+/.exec(text ?? '')?.[0] ?? 0)
  return major(stdout) >= major(row?.server_version)
}

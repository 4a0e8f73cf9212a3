import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite'
import { CommandError, defineCommand } from './command.ts'
import { existingSqlite } from './database.ts'
import { makeWhole, syncToDisk } from './database-file.ts'

/** All pages in one step, off the loop: between two steps a write of anybody else would make it begin again. */
const ALL_PAGES = 2 ** 31 - 1

export const backup = defineCommand({
  name: 'backup',
  summary: 'Copies the database into a file, while the service runs, and checks the copy.',
  details: `FILE is data/backups/gatehouse-<time>.db unless given; gatehouse restore puts it back. The keys are not in the copy, neither the
one that signs the audit log (audit-signing-key.pem) nor the one that seals secrets (secret-key): keep them elsewhere too.`,
  positionals: ['[FILE]'],
  options: {},
  async run(context, _values, [given]) {
    const { config, clock, out, say } = context
    if (config.databaseUrl !== undefined) {
      throw new CommandError('PostgreSQL has its own tools for backups: use pg_dump --format=custom "$DATABASE_URL" > gatehouse.dump')
    }
    const source = existingSqlite(config)
    const file = given ?? join(config.dataDir, 'backups', `gatehouse-${clock.now().slice(0, 19).replaceAll(':', '')}Z.db`)
    if (existsSync(file)) throw new CommandError(`${file} exists already; nothing was written.`)
    const stopped = context.untilStopped().then(() => {
      throw new Error('it was stopped')
    })
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      // In a folder that is ours alone until it is checked: what has the right name is whole.
      const folder = mkdtempSync(join(dirname(file), '.backup-'))
      context.atExit(() => rmSync(folder, { recursive: true, force: true }))
      const copy = join(folder, 'gatehouse.db')
      await Promise.race([copyPages(source, copy), stopped])
      chmodSync(copy, 0o600)
      makeWhole(copy)
      syncToDisk(copy)
      renameSync(copy, file)
      syncToDisk(dirname(file))
      rmSync(folder, { recursive: true })
    } catch (error) {
      throw new CommandError(`The backup to ${file} failed, and nothing is left of it: ${(error as Error).message}`, { cause: error })
    }
    out(file)
    say('The copy was checked and is whole.')
    return undefined
  },
})

async function copyPages(source: string, target: string): Promise<void> {
  const db = new DatabaseSync(source, { timeout: 5000 })
  await copyDatabase(db, target, { rate: ALL_PAGES })
  db.close()
}

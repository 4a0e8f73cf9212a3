import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandError, defineCommand } from './command.ts'
import { withExistingDatabase } from './database.ts'

export const backup = defineCommand({
  name: 'backup',
  summary: 'Copies the database into a file, while the service runs, and checks the copy.',
  details:
    'FILE is data/backups/gatehouse-<time>.db unless given. To restore: stop the service, put the file in the place of gatehouse.db, and remove audit-witness.json, which would otherwise say that the end of the audit log is missing. The keys are not in the copy, neither the one that signs the log (audit-signing-key.pem) nor the one that seals secrets (secret-key): keep them elsewhere too.',
  positionals: ['[FILE]'],
  options: {},
  async run({ config, clock, out, say }, _values, [given]) {
    if (config.databaseUrl !== undefined) {
      throw new CommandError('PostgreSQL has its own tools for backups: use pg_dump --format=custom "$DATABASE_URL" > gatehouse.dump')
    }
    const file = given ?? join(config.dataDir, 'backups', `gatehouse-${clock.now().slice(0, 19).replaceAll(':', '')}Z.db`)
    if (existsSync(file)) throw new CommandError(`${file} exists already; nothing was written.`)
    // Under another name until it is checked: what has the right name is whole.
    const partial = `${file}.partial`
    await withExistingDatabase(config, async (engine) => {
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        await engine.backup?.(partial)
        chmodSync(partial, 0o600)
        check(partial)
        renameSync(partial, file)
      } catch (error) {
        rmSync(partial, { force: true })
        throw new CommandError(`The backup to ${file} failed: ${(error as Error).message}`, { cause: error })
      }
    })
    out(file)
    say('The copy was checked and is whole.')
    return undefined
  },
})

function check(path: string): void {
  const db = new DatabaseSync(path)
  try {
    // One file without companions, which can be moved about.
    db.exec('pragma journal_mode = delete')
    const faults = db.prepare('pragma integrity_check').all() as Array<{ integrity_check: string }>
    if (faults[0]?.integrity_check !== 'ok') throw new Error(`the copy is damaged: ${faults[0]?.integrity_check}`)
  } finally {
    db.close()
  }
}

import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '../../config.ts'
import { sqliteNumberOf } from '../../core/error-code.ts'
import { messageOf } from '../../core/errors.ts'
import { CommandError } from '../command.ts'

/**
 * Says that somebody works with the embedded database, for as long as the process lives, however it ends: the lock is
 * the operating system's, on an empty file of its own, so that it holds when the database itself is damaged or gone.
 * Any number of servers share it; a restore has it alone.
 */
export function lockDataFolder({ dataDir, databaseUrl }: Config, how: 'shared' | 'alone'): { release(): void } {
  if (databaseUrl !== undefined) return { release: () => undefined }
  const path = join(dataDir, 'gatehouse.lock')
  let db: DatabaseSync | undefined
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    db = new DatabaseSync(path, { timeout: 0 })
    chmodSync(path, 0o600)
    db.exec(how === 'alone' ? 'begin exclusive' : 'begin; select count(*) from sqlite_schema')
  } catch (error) {
    db?.close()
    const isTaken = sqliteNumberOf(error) === BUSY
    if (isTaken && how === 'alone')
      throw new CommandError(`A server runs on the database in ${dataDir}: stop it first. Nothing was changed.`)
    if (isTaken) throw new CommandError(`The database in ${dataDir} is being restored; start again when that is done.`)
    throw new CommandError(`The database in ${dataDir} cannot be opened: ${messageOf(error)}`, { cause: error })
  }
  const held = db
  return { release: () => held.close() }
}

const BUSY = 5

import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { codeOf, sqliteNumberOf } from '../../core/error-code.ts'
import { type AppError, databaseAway, unavailable } from '../../core/errors.ts'

/**
 * SQLite's result codes for "not now": busy, locked, read-only, I/O error, disk full, cannot open, protocol (WAL
 * recovery).
 */
const UNAVAILABLE = new Set([5, 6, 8, 10, 13, 14, 15])
/** Those of them that say that writing does not work: the next one will fail the same way, whatever reads say. */
const UNWRITABLE = new Set([8, 10, 13, 14])
/** A page that makes no sense, or a file that is no database. */
const DAMAGED = new Set([11, 26])
const FULL = 13

export const isDamage = (error: unknown): boolean => DAMAGED.has((sqliteNumberOf(error) ?? 0) & 0xff)

/** More than any one change takes. */
const PROBE_BYTES = 256 * 1024
/** Made when it is first needed. Random: some file systems take no space for what repeats. */
let filler: Buffer | undefined

const damaged = (cause: unknown) =>
  unavailable(
    'storage_damaged',
    'The database file is damaged; nothing is written until it is restored from a backup',
    cause,
  )
const gone = (path: string) =>
  unavailable(
    'storage_gone',
    'The database file was removed or replaced under the running service; nothing is written until the service is ' +
      'stopped and the file is back',
    new Error(`${path} is not the file that was opened`),
  )
const full = (cause: unknown) =>
  unavailable('storage_full', 'The disk that holds the database is full; free some space', cause)
const unwritable = (cause: unknown) =>
  unavailable('storage_not_writable', 'The folder of the database cannot be written', cause)

/** What the file system said. */
const refused = (error: unknown): AppError =>
  /^(ENOSPC|EDQUOT|EFBIG)$/.test(codeOf(error) ?? '') ? full(error) : unwritable(error)

/**
 * Whether the files of a SQLite database keep what is written. SQLite itself does not notice that a file was deleted,
 * and goes on writing into it; and one damaged page says that others may be too.
 */
export class SqliteStorage {
  private readonly path: string
  private readonly files: readonly string[]
  private readonly identities = new Map<string, string>()
  private damage: AppError | undefined
  private isDoubted = false
  private probing: Promise<void> | undefined

  constructor(path: string) {
    this.path = path
    this.files = [path, `${path}-wal`, `${path}-shm`]
  }

  /** An error of SQLite as callers are told it. */
  translate(error: unknown): unknown {
    const code = sqliteNumberOf(error)
    if (code === undefined) return error
    const kind = code & 0xff
    if (DAMAGED.has(kind)) {
      // Stays until the restart: what else is damaged, nobody knows.
      this.damage ??= damaged(error)
      return this.damage
    }
    if (UNWRITABLE.has(kind)) this.isDoubted = true
    if (kind === FULL) return full(error)
    return UNAVAILABLE.has(kind) ? databaseAway(error) : error
  }

  /** What was committed may not be on the disk. */
  notKept(error: unknown): AppError {
    this.isDoubted = true
    return refused(error)
  }

  /** Throws unless what was just written, or is about to be, is kept. Takes some microseconds. */
  assertSound(): void {
    if (this.damage) throw this.damage
    for (const file of this.files) {
      const stat = statSync(file, { throwIfNoEntry: false })
      const identity = stat && `${stat.dev}:${stat.ino}`
      const known = this.identities.get(file)
      if (known === undefined && identity !== undefined) this.identities.set(file, identity)
      else if (known !== identity) throw gone(file)
    }
  }

  /** Throws unless a change could be kept now. `write` commits a small one: asked for only after one has failed. */
  async probe(write: () => Promise<void>): Promise<void> {
    this.assertSound()
    this.probing ??= this.tryDisk().finally(() => {
      this.probing = undefined
    })
    await this.probing
    if (!this.isDoubted) return
    await write()
    this.isDoubted = false
  }

  /** A file beside the database, as large as a change: free space as it is counted is not always to be had. */
  private async tryDisk(): Promise<void> {
    const file = `${this.path}-probe`
    filler ??= randomBytes(PROBE_BYTES)
    try {
      await writeFile(file, filler, { mode: 0o600 })
    } catch (error) {
      throw refused(error)
    } finally {
      await rm(file, { force: true }).catch(() => undefined)
    }
  }
}

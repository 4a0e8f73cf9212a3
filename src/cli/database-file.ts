import { closeSync, fsyncSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/**
 * Makes one file without companions of a database, which can be moved about, and throws unless every page of it is
 * sound.
 */
export function makeWhole(path: string): void {
  const db = new DatabaseSync(path)
  try {
    db.exec('pragma journal_mode = delete')
    const faults = db.prepare('pragma integrity_check(1)').all()
    if (faults[0]?.integrity_check !== 'ok') throw new Error(`the copy is damaged: ${faults[0]?.integrity_check}`)
  } finally {
    db.close()
  }
}

/** A file's content, or a folder's names, so that they are there after a loss of power. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

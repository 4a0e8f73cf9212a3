import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Databases of a run are far smaller; where there is less, as in a container by default, they are on the disk. */
const ROOM = 2 * 1024 ** 3

/**
 * For the tests of a run, a folder in memory, where the machine has one: thousands of commits are not held up by a
 * disk. Whether commits reach the disk is what test/faults is about; those stay there.
 */
export function inMemory(): { TMPDIR?: string } {
  if (!hasRoom()) return {}
  const folder = mkdtempSync(join(MEMORY, 'gatehouse-tests-'))
  // PostgreSQL goes through it as another user.
  chmodSync(folder, 0o711)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { TMPDIR: folder }
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ROOM
  } catch {
    return false
  }
}

import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '../core/error-code.ts'

/**
 * Makes a file that only we may read, once: where several processes do so at the same moment, the first one's stays.
 */
export function writeOnce(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const partial = `${path}.${randomUUID()}`
  writeFileSync(partial, content, { mode: 0o600, flag: 'wx', flush: true })
  try {
    // Unlike a rename, a link does not replace what is there.
    linkSync(partial, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(partial, { force: true })
  }
}

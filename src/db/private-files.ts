import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const FILE = 0o600
const FOLDER = 0o700
const OTHERS = 0o077

/** Makes a file and its folder before somebody else does, so that nobody but us reads them from the first moment on. */
export function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER })
  closeSync(openSync(path, 'a', FILE))
}

/**
 * Takes from others what they may do with what is ours; gives what was changed. What is not there, or not ours, is left
 * alone.
 */
export function mendPrivate(paths: Iterable<string>): string[] {
  return [...paths].filter((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found || found.uid !== process.getuid?.() || (found.mode & OTHERS) === 0) return false
    chmodSync(path, found.isDirectory() ? FOLDER : FILE)
    return true
  })
}

const OURS = /^(gatehouse\.(db|lock).*|secret-key|audit-signing-key\.pem|audit-witness\.json)$/

/** What a data folder holds of ours, the folder first; keys and backups too. */
export function privatePaths(dataDir: string): string[] {
  const backups = join(dataDir, 'backups')
  return [
    dataDir,
    ...namesIn(dataDir)
      .filter((name) => OURS.test(name))
      .map((name) => join(dataDir, name)),
    backups,
    ...namesIn(backups).map((name) => join(backups, name)),
  ]
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

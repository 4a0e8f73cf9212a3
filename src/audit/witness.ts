import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { codeOf } from '../core/error-code.ts'
import { messageOf } from '../core/errors.ts'
import type { SignedMark } from './signing.ts'

/** The last entry signed of each organization, by its id. */
export type Witnessed = Readonly<Record<string, SignedMark>>

const pathOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'audit-witness.json')

/**
 * Remembers outside the database what was signed last. Whoever can only change the database can cut off the end of a
 * log together with its checkpoints, and what is left fits together; but not what is remembered here.
 */
export async function readWitness(config: Pick<Config, 'dataDir'>): Promise<Witnessed> {
  const path = pathOf(config)
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {}
    throw new ConfigError(
      `${path}, which says what was signed last of the audit log, cannot be read: ${messageOf(error)}`,
    )
  }
}

/** Adds to what is remembered; of two marks of one organization the later counts, whichever process made it. */
export async function remember(config: Pick<Config, 'dataDir'>, marks: Witnessed): Promise<void> {
  const path = pathOf(config)
  const all: Record<string, SignedMark> = { ...(await readWitness(config)) }
  for (const [id, mark] of Object.entries(marks)) {
    if (mark.sequence >= (all[id]?.sequence ?? 0)) all[id] = mark
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const partial = `${path}.${randomUUID()}`
  await writeFile(partial, `${JSON.stringify(all, null, 1)}\n`, { mode: 0o600, flush: true })
  await rename(partial, path)
}

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { codeOf } from '../core/error-code.ts'
import { SEAL_KEY_BYTES, Sealer } from '../core/secrets/sealed.ts'
import type { SealKeys } from '../db/sealing.ts'
import { writeOnce } from '../db/write-once.ts'

/** The keys of SECRET_KEY, or else the one in the data folder, made at first need. */
export function sealKeysOf({
  dataDir,
  secretKeys: [first, ...rest],
}: Pick<Config, 'dataDir' | 'secretKeys'>): SealKeys {
  const path = join(dataDir, 'secret-key')
  return {
    find: () => {
      if (first) return new Sealer([first, ...rest])
      const key = readKey(path)
      return key && new Sealer([key])
    },
    make: () => new Sealer([makeKey(path)]),
  }
}

function makeKey(path: string): Buffer {
  writeOnce(path, `${randomBytes(SEAL_KEY_BYTES).toString('base64')}\n`)
  const key = readKey(path)
  if (!key) throw new ConfigError(`${path}, the key that seals secrets, was made and is gone again.`)
  return key
}

function readKey(path: string): Buffer | undefined {
  let key: Buffer
  try {
    key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64')
  } catch (error) {
    const code = codeOf(error)
    const message = error instanceof Error ? error.message : String(error)
    if (code === 'ENOENT') return undefined
    throw new ConfigError(`The key that seals secrets cannot be read: ${message}.`)
  }
  if (key.length !== SEAL_KEY_BYTES)
    throw new ConfigError(`${path} must hold ${SEAL_KEY_BYTES} bytes in base64: it seals secrets.`)
  return key
}

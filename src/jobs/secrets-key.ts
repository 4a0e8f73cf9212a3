import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { SecretBox } from '../core/secret-box.ts'
import { writeOnce } from './key-file.ts'

type KeyConfig = Pick<Config, 'dataDir' | 'secretsKeyFile'>

const BYTES = 32

/** Undefined: there is none yet. A file that is configured must be there. */
export function findSecretsKey({ dataDir, secretsKeyFile }: KeyConfig): Buffer | undefined {
  const path = secretsKeyFile ?? join(dataDir, 'secrets.key')
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && secretsKeyFile === undefined) return undefined
    throw new ConfigError(
      `The key that seals secrets (SECRETS_KEY_FILE) cannot be read: ${message}. One is made by: openssl rand -base64 32`,
    )
  }
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== BYTES) throw new ConfigError(`${path} must hold ${BYTES} random bytes in base64 (openssl rand -base64 32).`)
  return key
}

/** Made at first need. */
function openSecretsKey(config: KeyConfig): Buffer {
  const found = findSecretsKey(config)
  if (found) return found
  writeOnce(join(config.dataDir, 'secrets.key'), `${randomBytes(BYTES).toString('base64')}\n`)
  return openSecretsKey(config)
}

export function createSecretBox(config: KeyConfig): SecretBox {
  let key: Buffer | undefined
  return new SecretBox(() => {
    key ??= openSecretsKey(config)
    return key
  })
}

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { codeOf } from '../core/error-code.ts'
import type { AuditSigner } from '../db/audit.ts'
import { writeOnce } from '../db/write-once.ts'
import { createSigner, keyIdOf, type TrustedKeys } from './signing.ts'

/** What signs the checkpoints of the audit log, and what is trusted to have signed them. */
export interface AuditKey {
  signer: AuditSigner
  publicKey: KeyObject
  /** Its own public key, and those before it: a file may hold public keys beside the private one. */
  trusted: TrustedKeys
}

type KeyConfig = Pick<Config, 'dataDir' | 'auditSigningKeyFile'>

const pathOf = ({ auditSigningKeyFile, dataDir }: KeyConfig): string =>
  auditSigningKeyFile ?? join(dataDir, 'audit-signing-key.pem')

/** Undefined: there is none yet. A file that is configured must be there. */
export function findAuditKey(config: KeyConfig): AuditKey | undefined {
  const path = pathOf(config)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const code = codeOf(error)
    const message = error instanceof Error ? error.message : String(error)
    if (code === 'ENOENT' && config.auditSigningKeyFile === undefined) return undefined
    throw new ConfigError(
      `The key that signs the audit log (AUDIT_SIGNING_KEY_FILE) cannot be read: ${message}. One is made by: ` +
        'openssl genpkey -algorithm ed25519',
    )
  }
  const block = blocksOf(text).find((pem) => pem.includes('PRIVATE KEY'))
  if (block === undefined)
    throw new ConfigError(`${path} holds no private key (PEM, Ed25519) to sign the audit log with.`)
  const privateKey = readKey(path, block, createPrivateKey)
  return {
    signer: createSigner(privateKey),
    publicKey: createPublicKey(privateKey),
    trusted: readTrustedKeys(path, text),
  }
}

/** Made at first need, once, even when several processes need it at the same moment. */
export function openAuditKey(config: KeyConfig): AuditKey {
  const found = findAuditKey(config)
  if (found) return found
  const { privateKey } = generateKeyPairSync('ed25519')
  writeOnce(pathOf(config), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return openAuditKey(config)
}

/** Every key in a PEM text, as a public key. */
export function readTrustedKeys(path: string, text: string): TrustedKeys {
  const keys = blocksOf(text).map((pem) => readKey(path, pem, createPublicKey))
  if (keys.length === 0) throw new ConfigError(`${path} holds no key (PEM, Ed25519).`)
  return new Map(keys.map((key) => [keyIdOf(key), key]))
}

const BEGIN = '-----BEGIN '
const blocksOf = (text: string): string[] =>
  text
    .split(BEGIN)
    .slice(1)
    .map((block) => BEGIN + block)

function readKey(path: string, pem: string, read: (pem: string) => KeyObject): KeyObject {
  let key: KeyObject | undefined
  try {
    key = read(pem)
  } catch {
    // What is wrong with it is the same as for any other key that does not serve.
  }
  if (key?.asymmetricKeyType !== 'ed25519')
    throw new ConfigError(`${path} holds a key that is not an Ed25519 key in PEM.`)
  return key
}

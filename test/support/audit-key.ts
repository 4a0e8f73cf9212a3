import { generateKeyPairSync } from 'node:crypto'
import type { AuditTrust } from '../../src/audit/position.ts'
import { createSigner, keyIdOf } from '../../src/audit/signing.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')

/** Signs the entries of every house of a test file. */
export const houseSigner = createSigner(privateKey)
export const houseKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' })
export const houseTrust: AuditTrust = { keys: new Map([[keyIdOf(publicKey), publicKey]]) }

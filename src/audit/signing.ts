import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'
import type { AuditSigner } from '../db/audit.ts'

/** The public keys whose signatures count, by their id. */
export type TrustedKeys = ReadonlyMap<string, KeyObject>

/** An entry of a chain that was signed, and which checkpoint signed it. */
export interface SignedMark {
  sequence: number
  hash: string
  number: number
  format?: Format
}

/**
 * 2: entries up to there were signed as they were appended, and those that follow must be. Before there were such, 1 or
 * nothing.
 */
export type Format = 1 | 2

export interface Signature {
  signed_at: string
  key_id: string
  signature: string
}

export interface CheckpointRow extends SignedMark, Signature {}

export interface AnchorRow extends Signature {
  sequence: number
  hash: string
  removed: number
  checkpoint: number
}

export const keyIdOf = (key: KeyObject): string =>
  hash('sha256', key.export({ type: 'spki', format: 'der' }), 'hex').slice(0, 16)

export const createSigner = (privateKey: KeyObject): AuditSigner => ({
  keyId: keyIdOf(createPublicKey(privateKey)),
  sign: (statement) => sign(null, Buffer.from(statement), privateKey).toString('base64'),
})

/** What a checkpoint's signature says. The organization's id is in it: no signature serves another's chain. */
export const checkpointStatement = (
  organizationId: string,
  { number, sequence, hash, signed_at }: Omit<CheckpointRow, 'key_id' | 'signature'>,
  format: Format,
) => JSON.stringify([`gatehouse audit checkpoint ${format}`, organizationId, number, sequence, hash, signed_at])

/** What an anchor's signature says; one cannot be made from a checkpoint's. */
export const anchorStatement = (
  organizationId: string,
  { sequence, hash, removed, checkpoint, signed_at }: Omit<AnchorRow, 'key_id' | 'signature'>,
  format: Format,
) =>
  JSON.stringify([`gatehouse audit anchor ${format}`, organizationId, sequence, hash, removed, checkpoint, signed_at])

/** Why a signature does not count; undefined when it does. */
export function signatureFault(
  keys: TrustedKeys,
  statement: string,
  { key_id, signature }: Signature,
): string | undefined {
  const key = keys.get(key_id)
  if (!key) return `was signed with the key ${key_id}, which is not known here`
  const bytes = Buffer.from(signature, 'base64')
  // Node overlooks what is no base64.
  const isGood = bytes.toString('base64') === signature && verify(null, Buffer.from(statement), key, bytes)
  return isGood ? undefined : 'has a signature that does not hold'
}

/** In which format a statement was signed, or why no signature of it counts. */
export function signedFormat(
  keys: TrustedKeys,
  statement: (format: Format) => string,
  signature: Signature,
): Format | string {
  const fault = signatureFault(keys, statement(2), signature)
  if (fault === undefined) return 2
  return signatureFault(keys, statement(1), signature) === undefined ? 1 : fault
}

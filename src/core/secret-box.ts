import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const PREFIX = 'v1.'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Seals what must be read again later (the secret of an authenticator app, a letter with a link) with a key that is not in the
 * database: AES-256-GCM. `context` says what it belongs to, so that one sealed text cannot be put in another's place.
 */
export class SecretBox {
  private readonly key: () => Uint8Array

  /** The key is asked for at first need. */
  constructor(key: () => Uint8Array) {
    this.key = key
  }

  seal(text: string, context: string): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.key(), iv).setAAD(Buffer.from(context))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return PREFIX + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
  }

  /** Undefined: sealed with another key or for another purpose, or altered. */
  open(sealed: string, context: string): string | undefined {
    const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url')
    if (!isSealed(sealed) || bytes.length < IV_BYTES + TAG_BYTES) return undefined
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.key(), bytes.subarray(0, IV_BYTES))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    } catch {
      return undefined
    }
  }
}

export const isSealed = (text: string): boolean => text.startsWith(PREFIX)

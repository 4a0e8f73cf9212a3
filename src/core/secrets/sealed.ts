import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
export const SEAL_KEY_BYTES = 32

/** Names a key without telling anything of it. */
const idOf = (key: Buffer): string => hash('sha256', key, 'hex').slice(0, 16)

/**
 * Secrets that we must be able to read again, as they are stored: `sealed.<key id>.<nonce, tag and ciphertext>`. The
 * context says what it is of whom; put in another place, it does not open. The first key seals, those after it still
 * open what they sealed.
 */
export class Sealer {
  readonly keyId: string
  private readonly key: Buffer
  private readonly keys: ReadonlyMap<string, Buffer>

  constructor(keys: readonly [Buffer, ...Buffer[]]) {
    for (const key of keys)
      if (key.length !== SEAL_KEY_BYTES) throw new Error(`a key that seals has ${SEAL_KEY_BYTES} bytes`)
    this.key = keys[0]
    this.keyId = idOf(this.key)
    this.keys = new Map(keys.map((key) => [idOf(key), key]))
  }

  has(keyId: string): boolean {
    return this.keys.has(keyId)
  }

  /**
   * What a secret is found by without being readable: nobody without the key can try values. `<key id>.<digest>`, by
   * the first key, then by those that were first before it.
   */
  digests(text: string, context: string): [string, ...string[]] {
    const digest = (key: Buffer) => {
      const own = createHmac('sha256', key).update(`digest ${context}`).digest()
      return `${idOf(key)}.${createHmac('sha256', own).update(text).digest('base64url')}`
    }
    return [digest(this.key), ...[...this.keys.values()].slice(1).map(digest)]
  }

  seal(text: string, context: string, nonce = randomBytes(NONCE_BYTES)): string {
    const cipher = createCipheriv(ALGORITHM, this.key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context))
    const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return `sealed.${this.keyId}.${Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url')}`
  }

  /**
   * The same text in the same context gives the same again: whoever sees two of them learns that they are one, and
   * nothing else.
   */
  sealAlike(text: string, context: string): string {
    const own = createHmac('sha256', this.key).update('nonces of what is sealed alike').digest()
    const nonce = createHmac('sha256', own).update(`${context}\0${text}`).digest().subarray(0, NONCE_BYTES)
    return this.seal(text, context, nonce)
  }

  open(sealed: string, context: string): string {
    const [, id = '', content = ''] = /^sealed\.([0-9a-f]{16})\.([\w-]+)$/.exec(sealed) ?? []
    if (id === '') throw new Error('a secret is not sealed as it should be')
    const key = this.keys.get(id)
    if (!key) throw new Error(`a secret is sealed with the key ${id}, which is not here: see SECRET_KEY`)
    const bytes = Buffer.from(content, 'base64url')
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  }
}

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** What a test may make an authenticator do wrong. */
interface Deviation {
  origin?: string
  challenge?: string
  rpId?: string
  counter?: number
  isUserVerified?: boolean
  userHandle?: string
}

interface Options {
  challenge: string
  rp?: { id?: string }
  rpId?: string
  user?: { id: string }
}

/** Small whole numbers, bytes, texts and maps: all that WebAuthn needs of CBOR (RFC 8949). */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, n: number): Buffer => {
    if (n < 24) return Buffer.from([(major << 5) | n])
    return n < 256 ? Buffer.from([(major << 5) | 24, n]) : Buffer.from([(major << 5) | 25, n >> 8, n & 255])
  }
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item as number)])])
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const text = (bytes: Buffer): string => bytes.toString('base64url')
const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_KEY = 0x40

/** A real authenticator in software: one P-256 key, attestation "none", a counter that moves on with each signature. */
export class Authenticator {
  readonly id = text(randomBytes(32))
  counter = 0
  private readonly origin: string
  private readonly privateKey: KeyObject
  private readonly publicKey: KeyObject
  private userHandle = ''

  constructor(origin = 'http://gatehouse.test') {
    this.origin = origin
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.privateKey = privateKey
    this.publicKey = publicKey
  }

  /** `navigator.credentials.create`. */
  create(options: Options, wrong: Deviation = {}): object {
    this.userHandle = options.user?.id ?? ''
    const { x = '', y = '' } = this.publicKey.export({ format: 'jwk' })
    const coordinates = [x, y].map((part) => Buffer.from(part, 'base64url'))
    const key = cbor(
      new Map<number, number | Buffer>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, coordinates[0] as Buffer],
        [-3, coordinates[1] as Buffer],
      ]),
    )
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.from([id.length >> 8, id.length & 255])
    const attested = Buffer.concat([Buffer.alloc(16), length, id, key])
    const authData = Buffer.concat([this.data(wrong.rpId ?? options.rp?.id ?? '', HAS_KEY, wrong), attested])
    const attestationObject = cbor(
      new Map<string, string | Buffer | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, string>()],
        ['authData', authData],
      ]),
    )
    return this.credential({
      clientDataJSON: text(this.clientData('webauthn.create', options, wrong)),
      attestationObject: text(attestationObject),
      transports: ['internal'],
    })
  }

  /** `navigator.credentials.get`. */
  get(options: Options, wrong: Deviation = {}): object {
    this.counter += 1
    const authData = this.data(wrong.rpId ?? options.rpId ?? '', 0, wrong)
    const clientData = this.clientData('webauthn.get', options, wrong)
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.privateKey)
    return this.credential({
      clientDataJSON: text(clientData),
      authenticatorData: text(authData),
      signature: text(signature),
      userHandle: wrong.userHandle ?? this.userHandle,
    })
  }

  private credential(response: object): object {
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response,
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
    }
  }

  private data(rpId: string, more: number, { counter = this.counter, isUserVerified = true }: Deviation): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([PRESENT | (isUserVerified ? VERIFIED : 0) | more]), count])
  }

  private clientData(
    type: string,
    options: Options,
    { origin = this.origin, challenge = options.challenge }: Deviation,
  ): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }
}

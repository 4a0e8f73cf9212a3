import { hash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

const COST: ScryptOptions & { N: number; r: number; p: number } = { N: 16_384, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const BYTES = 32

/** On a thread of its own: a PIN is short, so its hash must be slow. */
const derive = (pin: string, salt: Buffer, length: number, cost: ScryptOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(pin, salt, length, cost, (error, key) => (error ? reject(error) : resolve(key)))
  })

/** `scrypt$N$r$p$salt$key`: parameters and salt travel with the hash, so that they can be raised later. */
export async function hashPin(pin: string, seed?: string): Promise<string> {
  // The same request sent again must make the same hash, or its Idempotency-Key would look reused.
  const salt = seed === undefined ? randomBytes(16) : hash('sha256', seed, 'buffer').subarray(0, 16)
  const key = await derive(pin, salt, BYTES, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

export async function verifyPin(pin: string, stored: string): Promise<boolean> {
  const [scheme, n, r, p, salt, key] = stored.split('$')
  if (scheme !== 'scrypt' || salt === undefined || key === undefined) return false
  const expected = Buffer.from(key, 'base64url')
  const cost = { N: Number(n), r: Number(r), p: Number(p), maxmem: COST.maxmem }
  return timingSafeEqual(await derive(pin, Buffer.from(salt, 'base64url'), expected.length, cost), expected)
}

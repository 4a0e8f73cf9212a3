import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const TOKEN_PREFIX = 'acs_pat_'
/** Of the secret of an OAuth application. */
export const CLIENT_SECRET_PREFIX = 'acs_sec_'
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6
const TOKEN_LENGTH = TOKEN_PREFIX.length + SECRET_LENGTH + CHECKSUM_LENGTH
const SHAPE = new RegExp(`^${TOKEN_PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`)

/** 43 characters of base62, by rejection so that each is equally likely. */
function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 a byte can hold.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62]
    }
  }
  return text
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

export function newTokenValue(prefix = TOKEN_PREFIX): string {
  const body = prefix + randomBase62(SECRET_LENGTH)
  return body + checksum(body)
}

/** A typo is told apart from an unknown token without asking the database. */
export function isWellFormedToken(value: string): boolean {
  if (value.length !== TOKEN_LENGTH || !SHAPE.test(value)) return false
  return checksum(value.slice(0, -CHECKSUM_LENGTH)) === value.slice(-CHECKSUM_LENGTH)
}

export const tokenHash = (value: string): string => hash('sha256', value, 'hex')

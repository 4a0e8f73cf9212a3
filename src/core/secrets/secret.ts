import { hash, randomBytes } from 'node:crypto'

/** What a link or a session is known by: 256 bits, URL-safe. Only its digest is stored. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

export const isSecret = (text: string): boolean => /^[\w-]{43}$/.test(text)

export const secretHash = (value: string): string => hash('sha256', value, 'hex')

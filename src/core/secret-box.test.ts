import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { SecretBox } from './secret-box.ts'

const key = randomBytes(32)
const box = new SecretBox(() => key)

describe('what is sealed', () => {
  it('is opened by the same key for the same purpose, and looks different each time', () => {
    const sealed = box.seal('geheim ü', 'totp:1')
    expect(box.open(sealed, 'totp:1')).toBe('geheim ü')
    expect(sealed).not.toContain('geheim')
    expect(box.seal('geheim ü', 'totp:1')).not.toBe(sealed)
  })

  it('is opened by no other key, for no other purpose, and not when a single bit was changed', () => {
    const sealed = box.seal('secret', 'totp:1')
    expect(box.open(sealed, 'totp:2')).toBeUndefined()
    expect(new SecretBox(() => randomBytes(32)).open(sealed, 'totp:1')).toBeUndefined()
    const bytes = Buffer.from(sealed.slice(3), 'base64url')
    for (let i = 0; i < bytes.length; i++) {
      const altered = Buffer.from(bytes)
      altered[i] = (altered[i] as number) ^ 1
      expect(box.open(`v1.${altered.toString('base64url')}`, 'totp:1'), String(i)).toBeUndefined()
    }
    for (const text of ['', 'v1.', 'v1.AAAA', 'secret', sealed.slice(0, -4)]) expect(box.open(text, 'totp:1'), text).toBeUndefined()
  })
})

import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Sealer } from './sealed.ts'

const key = () => randomBytes(32)
const sealer = new Sealer([key()])

it('opens what it sealed, whatever the text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      (text) => sealer.open(sealer.seal(text, 'a'), 'a') === text.toWellFormed(),
    ),
  )
})

it('shows nothing of the text, and never the same twice', () => {
  const [one, two] = [sealer.seal('a secret', 'a'), sealer.seal('a secret', 'a')]
  expect(one).not.toBe(two)
  expect(Buffer.from(one.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('secret')
})

it('does not open what was altered, cut, or put in another place', () => {
  const sealed = sealer.seal('a secret', 'totp of Ada')
  expect(() => sealer.open(sealed, 'totp of Eve')).toThrow()
  for (let i = 0; i < sealed.length; i++) {
    // The last letter of base64url may hold bits that say nothing.
    if (i === sealed.length - 1) continue
    const other = sealed[i] === 'A' ? 'B' : 'A'
    expect(() => sealer.open(sealed.slice(0, i) + other + sealed.slice(i + 1), 'totp of Ada'), String(i)).toThrow()
  }
  for (const part of ['', 'a secret', 'sealed..', sealed.slice(0, -2), `${sealed}AA`, `${sealed.slice(0, 24)}AAAA`])
    expect(() => sealer.open(part, 'totp of Ada')).toThrow()
})

it('seals with the first key and opens with any of them; a key that is not there is named', () => {
  const [old, fresh] = [key(), key()]
  const before = new Sealer([old]).seal('a secret', '')
  const both = new Sealer([fresh, old])
  expect(both.open(before, '')).toBe('a secret')
  expect(() => new Sealer([old]).open(both.seal('a secret', ''), '')).toThrow(both.keyId)
})

it('takes keys of 256 bits only', () => {
  expect(() => new Sealer([randomBytes(16)])).toThrow('32 bytes')
})

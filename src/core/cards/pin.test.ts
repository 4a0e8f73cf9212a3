import { describe, expect, it } from 'vitest'
import { hashPin, verifyPin } from './pin.ts'

describe('a PIN', () => {
  it('is known again by its hash, and no other PIN is', async () => {
    const stored = await hashPin('4711')
    expect(await verifyPin('4711', stored)).toBe(true)
    expect(await verifyPin('4712', stored)).toBe(false)
    expect(stored).not.toContain('4711')
  })

  it('hashes to something else each time, so that equal PINs do not show', async () => {
    expect(await hashPin('4711')).not.toBe(await hashPin('4711'))
  })

  it('hashes to the same for a request that is sent again, and to something else for another', async () => {
    expect(await hashPin('4711', 'caller key-1')).toBe(await hashPin('4711', 'caller key-1'))
    expect(await hashPin('4711', 'caller key-1')).not.toBe(await hashPin('4711', 'caller key-2'))
    expect(await verifyPin('4711', await hashPin('4711', 'caller key-1'))).toBe(true)
  })

  it('is not known by what is no hash of ours', async () => {
    expect(await verifyPin('4711', '4711')).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import { allowList, networkOf, parseRange } from './addresses.ts'

describe('an allow-list of addresses', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['192.0.2.0/24', '192.0.2.255', true],
    ['192.0.2.0/24', '192.0.3.0', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:DB8:0:0::1', '2001:db8::1', true],
    ['::1', '::1', true],
    ['0.0.0.0/0', '198.51.100.1', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    // The same IPv4 address, as a socket for both families shows it.
    ['192.0.2.0/24', '::ffff:192.0.2.7', true],
    ['192.0.2.0/24', '::ffff:c000:207', true],
    ['192.0.2.0/24', '::ffff:192.0.3.7', false],
    ['::ffff:192.0.2.7', '192.0.2.7', true],
  ])('%s admits %s: %s', (range, address, expected) => {
    expect(allowList([range])(address)).toBe(expected)
  })

  it('admits what any of its entries admits', () => {
    const admits = allowList(['192.0.2.7', '2001:db8::/64'])
    expect([admits('192.0.2.7'), admits('2001:db8::9'), admits('192.0.2.8')]).toEqual([true, true, false])
  })

  it.each([
    '',
    'localhost',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.0/33',
    '192.0.2.0/',
    '192.0.2.0/024',
    '2001:db8::/129',
    'fe80::1%eth0',
    '/24',
    '*',
  ])('refuses "%s"', (text) => {
    expect(parseRange(text)).toBeUndefined()
  })
})

describe('the network that failures are counted for', () => {
  it('is the address itself for IPv4, however it is written', () => {
    expect(networkOf('192.0.2.7')).toBe('192.0.2.7')
    expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7')
  })

  it('is the /64 for IPv6: a household cannot outrun the limit with its own addresses', () => {
    expect(networkOf('2001:db8::1')).toBe(networkOf('2001:db8:0:0:ffff:ffff:ffff:ffff'))
    expect(networkOf('2001:db8:0:1::1')).not.toBe(networkOf('2001:db8::1'))
    expect(networkOf('fe80::1%eth0')).toBe(networkOf('fe80::2'))
  })
})

import { BlockList, isIP } from 'node:net'

/** An address or a network of an allow-list: `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`. */
interface Range {
  address: string
  family: 'ipv4' | 'ipv6'
  prefix: number
}

const WIDTH = { ipv4: 32, ipv6: 128 } as const

/** Undefined: not an address or a network in CIDR notation. */
export function parseRange(text: string): Range | undefined {
  const [, bare = '', length] = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? []
  if (isIP(bare) === 0) return undefined
  const address = length === undefined ? plainAddress(bare) : bare
  const family = address.includes(':') ? 'ipv6' : 'ipv4'
  const prefix = length === undefined ? WIDTH[family] : Number(length)
  return prefix <= WIDTH[family] ? { address, family, prefix } : undefined
}

/** Whether an address is on the list. */
export function allowList(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const text of ranges) {
    const range = parseRange(text)
    if (range) list.addSubnet(range.address, range.prefix, range.family)
  }
  return (address) => {
    const plain = plainAddress(address)
    return list.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4')
  }
}

/** What one host or household has: an IPv4 address, or a /64 of IPv6. */
export function networkOf(address: string): string {
  const plain = plainAddress(address)
  return plain.includes(':') ? `${hextets(plain).slice(0, 4).join(':')}::/64` : plain
}

/** A socket that takes both families shows 192.0.2.1 as ::ffff:192.0.2.1; it is one address. */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address
  const parts = hextets(address)
  if (parts.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return withoutZone(address)
  const bytes = parts.slice(6).flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255])
  return bytes.join('.')
}

/** `fe80::1%eth0` is fe80::1 for everybody but this machine. */
const withoutZone = (address: string): string => address.split('%', 1).join()

/** The eight groups of an IPv6 address, written out and without leading zeros. */
function hextets(address: string): string[] {
  const text = withoutZone(address).replace(
    /(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/,
    (_, a, b, c, d) => `${pair(a, b)}:${pair(c, d)}`,
  )
  const [head = '', tail] = text.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array<string>(gap).fill('0'), ...right].map((part) => Number.parseInt(part, 16).toString(16))
}

const pair = (high: string, low: string): string => (Number(high) * 256 + Number(low)).toString(16)

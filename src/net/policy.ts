import { BlockList, isIP } from 'node:net'
import { allowList, parseRange, plainAddress } from './addresses.ts'

/**
 * What may be called: public addresses by HTTPS, and by either scheme what the configuration names (OUTGOING_ALLOW).
 */
export class Policy {
  private readonly isAllowed: (address: string) => boolean
  private readonly names: ReadonlySet<string>
  private readonly hasRanges: boolean

  constructor(allow: readonly string[]) {
    const names = allow.filter((entry) => parseRange(entry) === undefined)
    this.isAllowed = allowList(allow)
    this.names = new Set(names.map((entry) => entry.toLowerCase()))
    this.hasRanges = names.length < allow.length
  }

  /** `address`: one of those that its name stands for at this moment. */
  permits(target: URL, address: string): boolean {
    return (
      this.names.has(hostOf(target)) || this.isAllowed(address) || (target.protocol === 'https:' && isPublic(address))
    )
  }

  /** Why it can never be called, whatever its name will stand for; undefined: it may be. */
  findObstacle(target: URL): string | undefined {
    const name = hostOf(target)
    const known = isLoopback(name) ? LOOPBACK : isIP(name) === 0 ? undefined : [name]
    const isOpen = known ? known.some((address) => this.permits(target, address)) : this.mayBecome(target, name)
    if (isOpen) return undefined
    const permit = 'or have whoever runs this service permit it by OUTGOING_ALLOW'
    if (known && !known.some(isPublic)) return `${name} is not a public address; use one that is, ${permit}`
    return `${name} is called by HTTPS alone; begin with https://, ${permit}`
  }

  private mayBecome({ protocol }: URL, name: string): boolean {
    return protocol === 'https:' || this.hasRanges || this.names.has(name)
  }
}

/** What these names stand for nobody can change (RFC 6761). */
const isLoopback = (name: string): boolean => /(?:^|\.)localhost$/i.test(name)
const LOOPBACK = ['127.0.0.1', '::1']

export const hostOf = (target: URL): string => target.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

const reserved = new BlockList()
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]) {
  const [address = '', prefix] = network.split('/')
  reserved.addSubnet(address, Number(prefix), 'ipv4')
}
/** Within 2000::/3, the part of IPv6 that is public: tunnels that carry an IPv4 address, and documentation. */
for (const [address, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  reserved.addSubnet(address, prefix, 'ipv6')
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/** Whether an address belongs to the internet at large: not this machine, not a network of somebody's own. */
export function isPublic(address: string): boolean {
  const plain = plainAddress(address)
  if (isIP(plain) === 4) return !reserved.check(plain, 'ipv4')
  return isIP(plain) === 6 && globalUnicast.check(plain, 'ipv6') && !reserved.check(plain, 'ipv6')
}

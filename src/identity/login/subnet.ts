import { networkOf } from '../../net/addresses.ts'

/** The network that guesses together: an IPv4 /24, an IPv6 /64. */
export function subnetOf(address: string): string {
  const network = networkOf(address)
  return network.includes(':') ? network : `${network.slice(0, network.lastIndexOf('.'))}.0/24`
}

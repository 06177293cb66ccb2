import { isIPv6 } from 'node:net'

/**
 * What counts as one client: an IPv4 address, or the /64 of an IPv6 one, because the owner of one address of it owns all 2⁶⁴. Ports and
 * brackets that proxies write are understood; a text that is not an address counts by itself.
 */
export function clientKey(address: string): string {
  if (PLAIN_IPV4.test(address)) return address
  const plain = address.trim().toLowerCase().slice(0, LONGEST)
  const host = /^\[([^\]]*)\]/.exec(plain)?.[1] ?? /^([\d.]+):\d+$/.exec(plain)?.[1] ?? plain
  const mapped = /^::ffff:([\d.]+)$/.exec(host)?.[1]
  if (mapped !== undefined) return mapped
  const [bare = ''] = host.split('%')
  return isIPv6(bare) ? `${groupsOf(bare).slice(0, 4).join(':')}::/64` : host
}

/** As most addresses are: nothing is to be taken off it. */
const PLAIN_IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/

/** Longer than any address with zone and port; a header may contain anything. */
const LONGEST = 100

/** The eight groups of an address, without leading zeros. */
function groupsOf(address: string): string[] {
  const [before = [], after = []] = address.split('::').map((half) => half.split(':').filter(Boolean).flatMap(asGroups))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after]
}

/** An IPv4 tail counts as two groups. They are the last two, so their values do not matter. */
function asGroups(part: string): string[] {
  return part.includes('.') ? [part, part] : [Number.parseInt(part, 16).toString(16)]
}

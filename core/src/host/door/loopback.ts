import { isIPv6 } from 'node:net'

/** Whether a name or address leads to this machine and to no other. */
export function isLoopback(name: string): boolean {
  const plain = name.toLowerCase()
  if (plain === 'localhost' || plain.endsWith('.localhost')) return true
  const address = plain.replace(/^::ffff:(?=\d+\.)/, '')
  if (/^127(?:\.\d{1,3}){3}$/.test(address)) return true
  return isIPv6(address) && /^(?:0*:)+:?0*1$/.test(address)
}

/** A page whose name was resolved to this machine must not reach it (DNS rebinding): `Host` must be a name of this server. */
import { isIP, isIPv6 } from 'node:net'
import os from 'node:os'

export interface HostRules {
  /** `ALLOWED_HOSTS`: names, without ports; `*.example.com` means every subdomain. */
  readonly allowed: readonly string[]
  /** The address that the server binds; `undefined` inside an application. */
  readonly bound: string | undefined
}

/** Whether a `Host` is accepted; `undefined` if every one is. */
export function hostGuard({ allowed, bound }: HostRules): ((host: string) => boolean) | undefined {
  if (allowed.length === 0 && (bound === undefined || !isLoopback(bound))) return undefined
  const own = ownNames()
  const listed = allowed.map((name) => name.toLowerCase())
  // A client uses the same name each time.
  let accepted: string | undefined
  return (host) => {
    if (host === accepted) return true
    const name = nameOf(host)
    const accepts = isLoopback(name) || own.has(name) || listed.some((entry) => matches(name, entry))
    if (accepts) accepted = host
    return accepts
  }
}

function matches(name: string, entry: string): boolean {
  return entry.startsWith('*.') ? name.endsWith(entry.slice(1)) : name === entry
}

/** The name of the machine and its addresses. */
function ownNames(): ReadonlySet<string> {
  const addresses = Object.values(os.networkInterfaces()).flatMap((entries) => entries?.map(({ address }) => address) ?? [])
  return new Set([os.hostname().toLowerCase(), ...addresses])
}

/** A `Host` without its port; an IPv6 address without its brackets. */
export function nameOf(host: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host)?.[1]
  if (bracketed !== undefined) return bracketed.toLowerCase()
  return (isIP(host) === 6 ? host : host.replace(/:\d*$/, '')).toLowerCase().replace(/\.$/, '')
}

/** Whether a name or address refers only to this machine. */
export function isLoopback(name: string): boolean {
  const plain = name.toLowerCase()
  if (plain === 'localhost' || plain.endsWith('.localhost')) return true
  const address = plain.replace(/^::ffff:(?=\d+\.)/, '')
  if (/^127(?:\.\d{1,3}){3}$/.test(address)) return true
  return isIPv6(address) && /^(?:0*:)+:?0*1$/.test(address)
}

import type { Logger } from '../logger.js'
import type { Settings } from '../settings/core-variables.js'
import { isLoopback, nameOf } from './door/host-guard.js'

interface Listening {
  readonly surface: string
  /** A URL, or a name or address. */
  readonly address: string
  /** Whether clients need no credential. */
  readonly isOpen: boolean
  /** The setting that says what it binds. */
  readonly hostSetting?: string | undefined
}

/** Warns in capitals about a surface that admits clients of other machines without a credential. */
export function warnWhenOpen({ surface, address, isOpen, hostSetting }: Listening, logger: Logger): void {
  if (!isOpen || isLoopback(nameOf(address.replace(/^[a-z+]+:\/\//i, '')))) return
  const bind = hostSetting === undefined ? '' : `, or ${hostSetting}=127.0.0.1`
  logger.warn(
    { surface, address },
    `SURFACE ${surface.toUpperCase()} LISTENS BEYOND THIS MACHINE (${address}) WITHOUT AUTHENTICATION: ANYONE WHO REACHES IT MAY ASK. Set AUTH_MODE=api_key and API_KEYS${bind}.`,
  )
}

type Hosts = Pick<Settings, 'AUTH_MODE' | 'TRUSTED_PROXY_COUNT' | 'ALLOWED_HOSTS' | 'API_SERVER_HOST'>

/** Warns when names are left to proxies: a page whose name was resolved to this machine can write `X-Forwarded-For`, but it has no key. */
export function warnOfUnlistedHosts(
  { AUTH_MODE, TRUSTED_PROXY_COUNT, ALLOWED_HOSTS, API_SERVER_HOST }: Hosts,
  logger: Logger,
): void {
  if (AUTH_MODE !== 'none' || TRUSTED_PROXY_COUNT === 0 || ALLOWED_HOSTS.length > 0 || !isLoopback(API_SERVER_HOST)) return
  logger.warn(
    { variable: 'ALLOWED_HOSTS' },
    `With TRUSTED_PROXY_COUNT=${TRUSTED_PROXY_COUNT} and without keys, forwarded requests are answered under every host name. Set ALLOWED_HOSTS to the names that clients use.`,
  )
}

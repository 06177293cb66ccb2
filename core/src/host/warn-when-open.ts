import type { Logger } from '../logger.js'
import type { Settings } from '../settings/core-variables.js'
import { isLoopback, nameOf } from './door/host-guard.js'

/** Warns in capitals about a surface that admits clients of other machines without a credential. `address` is a URL, or a name or address. */
export function warnWhenOpen(surface: string, address: string, { AUTH_MODE }: Pick<Settings, 'AUTH_MODE'>, logger: Logger): void {
  if (AUTH_MODE !== 'none' || isLoopback(nameOf(address.replace(/^[a-z+]+:\/\//i, '')))) return
  logger.warn(
    { surface, address },
    `SURFACE ${surface.toUpperCase()} LISTENS BEYOND THIS MACHINE (${address}) WITHOUT AUTHENTICATION: ANYONE WHO REACHES IT MAY ASK. Set AUTH_MODE=api_key, or bind 127.0.0.1 (API_SERVER_HOST, PGWIRE_HOST).`,
  )
}

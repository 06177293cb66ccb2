import type { Logger } from '../logger.js'
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

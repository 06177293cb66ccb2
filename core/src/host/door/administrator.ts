import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../settings/core-variables.js'
import type { Principal } from '../points.js'
import { clientIp } from './client-ip.js'
import { isLoopback } from './loopback.js'

type Rules = Pick<Settings, 'AUTH_MODE' | 'ADMIN_API_KEYS' | 'TRUSTED_PROXY_COUNT'>

/** Without authentication, those who sit at this machine; else the holders of `ADMIN_API_KEYS`, which are all where none is listed. */
export function isAdministrator(
  { administrator = false }: Principal,
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
  { AUTH_MODE, ADMIN_API_KEYS, TRUSTED_PROXY_COUNT }: Rules,
): boolean {
  if (AUTH_MODE !== 'none') return ADMIN_API_KEYS.length === 0 || administrator
  // A proxy on this machine that is not declared as one would make everybody local.
  const undeclared = TRUSTED_PROXY_COUNT === 0 && request.headers['x-forwarded-for'] !== undefined
  return !undeclared && isLoopback(clientIp(request, TRUSTED_PROXY_COUNT))
}

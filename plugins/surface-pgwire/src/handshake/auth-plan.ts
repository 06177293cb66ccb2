import { randomBytes } from 'node:crypto'
import { fail, type Settings } from '@grainline/core'
import type { SurfaceContext } from '@grainline/core/surface'
import type { ScramKeys } from './scram.js'

/** How clients authenticate. */
export type AuthPlan =
  | { readonly method: 'trust' }
  | { readonly method: 'password'; readonly authenticate: SurfaceContext['authenticate'] }
  | { readonly method: 'scram'; readonly keys: ScramKeys }

/** The minimum of RFC 7677, which PostgreSQL uses too. */
const ITERATIONS = 4096

type Modes = Pick<Settings, 'AUTH_MODE' | 'PGWIRE_AUTH_MODE'>

/**
 * The method that follows from both modes. If the service requires a key, so does this surface: `PGWIRE_AUTH_MODE` only chooses how it is exchanged.
 * Throws `INVALID_VARIABLE` if a password is required but cannot be checked.
 */
export function authMethod({ AUTH_MODE, PGWIRE_AUTH_MODE }: Modes): AuthPlan['method'] {
  if (AUTH_MODE !== 'none') return PGWIRE_AUTH_MODE === 'password' ? 'password' : 'scram'
  if (PGWIRE_AUTH_MODE === 'trust') return 'trust'
  return fail(
    'INVALID_VARIABLE',
    `PGWIRE_AUTH_MODE=${PGWIRE_AUTH_MODE} asks for a password, and AUTH_MODE=none has no key to compare it with: set AUTH_MODE=api_key and API_KEYS, or leave PGWIRE_AUTH_MODE out`,
    { path: 'PGWIRE_AUTH_MODE' },
  )
}

export async function authPlan({ settings, authenticate, scramVerifiers }: Omit<SurfaceContext, 'service'>): Promise<AuthPlan> {
  const method = authMethod(settings)
  if (method === 'trust') return { method }
  if (method === 'password') return { method, authenticate }
  if (scramVerifiers === undefined) {
    return fail(
      'INVALID_VARIABLE',
      `AUTH_MODE=${settings.AUTH_MODE} cannot prove a key by SCRAM-SHA-256: set PGWIRE_AUTH_MODE=password, and TLS`,
      { path: 'PGWIRE_AUTH_MODE' },
    )
  }
  const salt = randomBytes(16)
  return { method, keys: { salt, iterations: ITERATIONS, verifiers: await scramVerifiers({ salt, iterations: ITERATIONS }) } }
}

/** Authenticates calls. Every call carries its credential, because the server keeps no state between calls. */
import { fail, GrainlineError } from '@grainline/core'
import { type Credential, isSameSecret, type Principal, type SurfaceContext } from '@grainline/core/surface'
import type { AuthMethod } from './auth-method.js'
import type { Sealer } from './sealer.js'

export interface Gatekeeper {
  /** Throws `AUTH_REQUIRED` or `AUTH_INVALID`. */
  admit(credential: Credential | undefined): Promise<Principal>
  /** A token for a client with this credential, which must have been admitted. */
  tokenFor(credential: Credential | undefined): string
}

const ANYBODY: Principal = { id: 'anonymous' }

export function gatekeeper(method: AuthMethod, authenticate: SurfaceContext['authenticate'], sealer: Sealer): Gatekeeper {
  /** A token contains the credential of its login, which is checked again: a revoked key stops working. */
  function shown(credential: Credential | undefined): Credential | undefined {
    if (credential?.scheme !== 'bearer' || !credential.value.startsWith(PREFIX)) return credential
    const opened = sealer.open<Credential>('token', Buffer.from(credential.value.slice(PREFIX.length), 'base64url'))
    if (opened.kind === 'open') return opened.value
    const why = opened.kind === 'expired' ? 'has expired' : 'was created by another server, or before this server was restarted'
    return fail('AUTH_INVALID', `The token of the login ${why}; connect again`)
  }

  async function judged(credential: Credential | undefined): Promise<Principal> {
    const given = shown(credential)
    if (method.kind === 'service') return authenticate(given).catch(explained(given))
    if (method.kind === 'token') return byToken(given, method.token)
    return ANYBODY
  }

  return {
    admit: (credential) => (method.kind === 'none' ? Promise.resolve(ANYBODY) : judged(credential)),
    tokenFor: (credential) => PREFIX + sealer.seal('token', credential ?? {}).toString('base64url'),
  }
}

/** The prefix of our tokens. An API key with this prefix is read as a token and refused. */
const PREFIX = 'glf1.'

async function byToken(credential: Credential | undefined, token: string): Promise<Principal> {
  if (credential === undefined || credential.value === '') return missing(credential)
  return isSameSecret(credential.value, token) ? { id: 'token' } : fail('AUTH_INVALID', 'The token is not valid')
}

/** Replaces the message for a missing credential by one for Flight clients. */
const explained =
  (credential: Credential | undefined) =>
  (error: unknown): never => {
    if (error instanceof GrainlineError && error.code === 'AUTH_REQUIRED') return missing(credential)
    throw error
  }

function missing(credential: Credential | undefined): never {
  const message =
    credential?.scheme === 'password'
      ? 'The password is empty. Connect with the API key as the password; the user name may be anything'
      : 'An API key is required. Connect with any user name and the key as the password, or send it as a bearer token'
  return fail('AUTH_REQUIRED', message)
}

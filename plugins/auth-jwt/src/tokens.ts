/** Tokens of an issuer, and the principals that they name. */
import { fail } from '@grainline/core'
import { type Authenticator, type Credential, endsWhen, type Principal } from '@grainline/core/surface'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import { attributesOf, claimAt, textsOf } from './claims.js'
import type { KeySet } from './key-set.js'
import type { JwtOptions } from './options.js'

/**
 * Admits clients whose token is signed by the issuer, for this audience, and has not expired. A principal ends when its token expires, so that an open
 * connection is refused from then on. Throws `AUTH_REQUIRED`, `AUTH_INVALID`, or `AUTH_UNAVAILABLE` if the issuer does not give its keys.
 */
export function tokens(options: JwtOptions, { keyFor, reload }: KeySet, now: () => Date = () => new Date()): Authenticator {
  return Object.freeze({
    name: 'jwt',
    reload,
    issuedBy: { issuer: options.issuer, resource: options.resource, signIn: options.signIn },
    async authenticate(credential: Credential | undefined) {
      if (credential === undefined || credential.value === '') return fail('AUTH_REQUIRED', 'A token (JWT) is required')
      const claims = await claimsOf(credential.value)
      const principal = principalOf(claims, options)
      const end = ((claims.exp ?? 0) + options.leewaySeconds) * 1000
      endsWhen(principal, () => now().getTime() >= end)
      return principal
    },
  } satisfies Authenticator)

  async function claimsOf(token: string): Promise<JWTPayload> {
    if (!token.split('.').every(isCanonical)) return fail('AUTH_INVALID', NOT_VALID)
    try {
      const { payload } = await jwtVerify(token, keyFor, {
        issuer: options.issuer,
        audience: [...options.audience, ...(options.resource === undefined ? [] : [options.resource])],
        algorithms: options.algorithms,
        clockTolerance: options.leewaySeconds,
        currentDate: now(),
        requiredClaims: ['exp'],
      })
      return payload
    } catch (cause) {
      if (isOfClient(cause)) return fail('AUTH_INVALID', reasonOf(cause))
      return fail('AUTH_UNAVAILABLE', 'The keys of the issuer of tokens cannot be read', { cause })
    }
  }
}

const NOT_VALID = 'The token is not valid'

/** Whether no other text has the same bytes: base64url ignores bits of the last character, so that a changed token could be accepted. */
const isCanonical = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part

/** Whether the token is at fault. Everything else is about the keys: the issuer does not answer, or answers something else. */
const isOfClient = (cause: unknown): boolean =>
  cause instanceof errors.JOSEError &&
  !(cause instanceof errors.JWKSTimeout || cause instanceof errors.JWKSInvalid || cause.code === 'ERR_JOSE_GENERIC')

/** Only who has a signed token learns what is wrong with it. */
function reasonOf(cause: unknown): string {
  if (cause instanceof errors.JWTExpired) return 'The token has expired'
  if (cause instanceof errors.JWTClaimValidationFailed)
    return `The claim '${cause.claim}' of the token is not what this server accepts`
  return NOT_VALID
}

/** Its name is its id, too: sessions belong to the person, also with the next token. */
function principalOf(claims: JWTPayload, { name = 'sub', roles, models, attributes }: JwtOptions): Principal {
  const called = claimAt(claims, name)
  if (typeof called !== 'string' || called.trim() === '')
    return fail('AUTH_INVALID', `The token has no claim '${name}' with a name`)
  return {
    id: called,
    name: called,
    roles: roles === undefined ? [] : textsOf(claims, roles),
    attributes: attributesOf(claims, attributes),
    ...(models !== undefined && { models: textsOf(claims, models) }),
  }
}

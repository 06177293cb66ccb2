import { createHash, createHmac, pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { fail } from '../errors.js'
import type { Authenticator, Principal, ScramVerifier } from '../host/points.js'

/**
 * Any listed key is accepted, those of administrators too, in every scheme. The id of the principal is the beginning of a digest, never the
 * key.
 */
export function apiKey(keys: readonly string[], administrators: readonly string[] = []): Authenticator {
  const all = [...new Set([...keys, ...administrators])]
  const digests = all.map(digestOf)
  const principalOf = (digest: Buffer): Principal => ({
    id: `key:${digest.toString('hex').slice(0, 12)}`,
    administrator: administrators.some((key) => digestOf(key).equals(digest)),
  })
  return Object.freeze({
    name: 'api_key',
    authenticate: async (credential) => {
      if (credential === undefined || credential.value === '') return fail('AUTH_REQUIRED', 'An API key is required')
      const given = digestOf(credential.value)
      // Every digest is compared, so that the time reveals nothing about the keys.
      const known = digests.reduce((found, digest) => timingSafeEqual(digest, given) || found, false)
      return known ? principalOf(given) : fail('AUTH_INVALID', 'The API key is not valid')
    },
    scramVerifiers: (salt) => Promise.all(all.map((key, index) => scramVerifier(key, principalOf(digests[index]!), salt))),
  } satisfies Authenticator)
}

const digestOf = (key: string): Buffer => createHash('sha256').update(key, 'utf8').digest()

const derive = promisify(pbkdf2)

/** What a server stores of a secret under SCRAM-SHA-256 (RFC 5802 §3, RFC 7677). */
async function scramVerifier(
  secret: string,
  principal: Principal,
  { salt, iterations }: { readonly salt: Uint8Array; readonly iterations: number },
): Promise<ScramVerifier> {
  // Clients prepare passwords with SASLprep; for typed text only its NFKC step matters.
  const salted = await derive(secret.normalize('NFKC'), salt, iterations, 32, 'sha256')
  const clientKey = createHmac('sha256', salted).update('Client Key').digest()
  return {
    principal,
    storedKey: createHash('sha256').update(clientKey).digest(),
    serverKey: createHmac('sha256', salted).update('Server Key').digest(),
  }
}

import { createHash, createHmac, pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { fail } from '../errors.js'
import type { Authenticator, Principal, ScramVerifier } from '../host/points.js'
import { digestOf, type NamedKey } from './read-keys-file.js'

/**
 * Any listed key is accepted, those of administrators and of the file too, in every scheme. `named` is called for each credential, because the file
 * may have been read again. The id of the principal is its name, or the beginning of a digest, never the key.
 */
export function apiKey(
  keys: readonly string[],
  administrators: readonly string[] = [],
  named: () => readonly NamedKey[] = () => [],
): Authenticator {
  const listed = [...new Set([...keys, ...administrators])].map((key) => unnamedKey(key, administrators.includes(key)))
  return Object.freeze({
    name: 'api_key',
    authenticate: async (credential) => {
      if (credential === undefined || credential.value === '') return fail('AUTH_REQUIRED', 'An API key is required')
      const given = digestOf(credential.value)
      // Every digest is compared, so that the time reveals nothing about the keys.
      const known = [...listed, ...named()].filter(({ digest }) => timingSafeEqual(digest, given))
      return known[0]?.principal ?? fail('AUTH_INVALID', 'The API key is not valid')
    },
    scramVerifiers: (salt) =>
      Promise.all(
        [...listed, ...named()].flatMap(({ key, principal }) => (key === undefined ? [] : [scramVerifier(key, principal, salt)])),
      ),
  } satisfies Authenticator)
}

function unnamedKey(key: string, administrator: boolean): NamedKey {
  const digest = digestOf(key)
  const principal: Principal = { id: `key:${digest.toString('hex').slice(0, 12)}`, administrator }
  return { digest, key, principal }
}

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

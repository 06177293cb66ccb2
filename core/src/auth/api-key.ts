import { createHash, timingSafeEqual } from 'node:crypto'
import { fail } from '../errors.js'
import type { Authenticator, Principal } from '../host/points.js'
import { scramVerifier } from './scram-verifier.js'

/** Any of the keys lets in, those of administrators too, whatever the scheme that carried it. The principal's id is a digest's beginning, never the key. */
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
      // Every digest is compared, so that the time says nothing about which key is near.
      const known = digests.reduce((found, digest) => timingSafeEqual(digest, given) || found, false)
      return known ? principalOf(given) : fail('AUTH_INVALID', 'The API key is not valid')
    },
    scramVerifiers: (salt) => Promise.all(all.map((key, index) => scramVerifier(key, principalOf(digests[index]!), salt))),
  } satisfies Authenticator)
}

const digestOf = (key: string): Buffer => createHash('sha256').update(key, 'utf8').digest()

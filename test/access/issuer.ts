/** An issuer of tokens for tests: its keys, and tokens that it signs. */
import { writeFile } from 'node:fs/promises'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export const ISSUER = 'https://login.example.com'
export const AUDIENCE = 'grainline'

export interface Issuer {
  /** Its public keys, as a JWKS. */
  readonly jwks: string
  /** A token that is valid from 2026-11-27T12:00Z for an hour, unless the claims say otherwise. */
  readonly token: (claims?: JWTPayload) => Promise<string>
}

export const NOON = Date.UTC(2026, 10, 27, 12) / 1000

export async function issuer(alg = 'ES256', kid = 'one'): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair(alg)
  const key = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }
  return {
    jwks: JSON.stringify({ keys: [key] }),
    token: (claims = {}) =>
      new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: 'ann', iat: NOON, exp: NOON + 3600, ...claims })
        .setProtectedHeader({ alg, kid })
        .sign(privateKey),
  }
}

export const writeKeys = ({ jwks }: Issuer, file: string): Promise<void> => writeFile(file, jwks)

import type { Credential } from '@grainline/core/surface'
import type { Metadata } from '@grpc/grpc-js'

/** The credential of a call: a bearer token (from a handshake, or an API key), a password, or a key in a separate header. */
export function readCredential(metadata: Metadata, keyHeader: string): Credential | undefined {
  const [authorization] = metadata.get('authorization')
  if (authorization !== undefined) return fromAuthorization(String(authorization))
  const [token] = metadata.get('auth-token-bin')
  if (token !== undefined) return { scheme: 'bearer', value: String(token) }
  const [key] = metadata.get(keyHeader.toLowerCase())
  return key === undefined ? undefined : { scheme: 'header', value: String(key) }
}

/** A text with an unknown scheme is taken as a key, which is then refused. */
function fromAuthorization(text: string): Credential {
  const trimmed = text.trim()
  const [scheme = ''] = /^\S+/.exec(trimmed) ?? []
  const value = trimmed.slice(scheme.length).trimStart()
  if (scheme.toLowerCase() === 'bearer') return { scheme: 'bearer', value }
  if (scheme.toLowerCase() === 'basic') return { scheme: 'password', value: passwordOf(value) }
  return { scheme: 'header', value: text }
}

/** The user name is ignored. */
function passwordOf(base64: string): string {
  const pair = Buffer.from(base64, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  return colon < 0 ? '' : pair.slice(colon + 1)
}

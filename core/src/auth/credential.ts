import type { Credential } from '../host/points.js'

/** The credentials of an HTTP request, at most two: the key in its own header, then a bearer token or the password of HTTP Basic. */
export function credentialsOf(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  keyHeader: string,
): readonly Credential[] {
  const key = single(headers[keyHeader.toLowerCase()]) ?? ''
  const authorization = single(headers.authorization) ?? ''
  const token = bearer(authorization) ?? basic(authorization)
  const isToken = keyHeader.toLowerCase() === 'authorization' && token !== undefined
  return [...(key === '' || isToken ? [] : [header(key)]), ...(token ? [token] : [])]
}

const header = (value: string): Credential => ({ scheme: 'header', value })

function bearer(authorization: string): Credential | undefined {
  const token = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
  return token === undefined ? undefined : { scheme: 'bearer', value: token }
}

/** Programs such as Excel ask people for a user and a password (RFC 7617). The password is the key; any user is accepted. */
function basic(authorization: string): Credential | undefined {
  const encoded = /^basic +([\w+/=-]+) *$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const value = pair.slice(pair.indexOf(':') + 1)
  return value === '' || !pair.includes(':') ? undefined : { scheme: 'password', value }
}

const single = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value[0] : value

import type { Credential } from '../host/points.js'

/** The credentials of an HTTP request, at most two: the key in its own header, then a bearer token. */
export function credentialsOf(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  keyHeader: string,
): readonly Credential[] {
  const key = single(headers[keyHeader.toLowerCase()]) ?? ''
  const token = bearer(single(headers.authorization) ?? '')
  const isToken = keyHeader.toLowerCase() === 'authorization' && token !== undefined
  return [...(key === '' || isToken ? [] : [header(key)]), ...(token ? [token] : [])]
}

const header = (value: string): Credential => ({ scheme: 'header', value })

function bearer(authorization: string): Credential | undefined {
  const token = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
  return token === undefined ? undefined : { scheme: 'bearer', value: token }
}

const single = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value[0] : value

import type { Credential } from '../host/points.js'

/** The credential of an HTTP request: the key in its own header, or else a bearer token. `undefined` if it has neither. */
export function credentialOf(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  keyHeader: string,
): Credential | undefined {
  const key = single(headers[keyHeader.toLowerCase()])
  if (key !== undefined && key !== '')
    return keyHeader.toLowerCase() === 'authorization' ? (bearer(key) ?? header(key)) : header(key)
  return bearer(single(headers.authorization) ?? '')
}

const header = (value: string): Credential => ({ scheme: 'header', value })

function bearer(authorization: string): Credential | undefined {
  const token = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
  return token === undefined ? undefined : { scheme: 'bearer', value: token }
}

const single = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value[0] : value

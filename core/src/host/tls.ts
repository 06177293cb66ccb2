/** The certificate of a surface with TLS, read from the files in its settings. */

import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { fail } from '../errors.js'
import { messageOf } from '../invariant.js'

/** Options for a TLS server of Node. */
export interface TlsOptions {
  readonly cert: Buffer
  readonly key: Buffer
  /** The authorities that must have issued client certificates; with them a client without a certificate is refused. */
  readonly ca?: Buffer
  readonly requestCert?: true
  readonly rejectUnauthorized?: true
}

/**
 * The files of `PREFIX_TLS_CERT`, `PREFIX_TLS_KEY` and `PREFIX_TLS_CLIENT_CA`, read again at every call; `undefined` if TLS is off. Throws
 * `INVALID_VARIABLE` if a file cannot be read or the certificate and the key do not match.
 */
export function readTls(settings: Readonly<Record<string, unknown>>, prefix: string): TlsOptions | undefined {
  const named = (what: string) => settings[`${prefix}_TLS_${what}`] !== undefined
  // The rules of the settings refuse one without the other.
  if (!named('CERT') || !named('KEY')) return undefined
  const [cert, key, ca] = ['CERT', 'KEY', 'CLIENT_CA'].map((what) => readPem(`${prefix}_TLS_${what}`, settings))
  if (cert === undefined || key === undefined) return undefined
  proveUsable({ cert, key }, `${prefix}_TLS_CERT`, `${prefix}_TLS_CERT and ${prefix}_TLS_KEY cannot be used`)
  if (ca === undefined) return { cert, key }
  const variable = `${prefix}_TLS_CLIENT_CA`
  // OpenSSL ignores invalid certificates, and then no client could connect.
  if (!ca.includes('-----BEGIN CERTIFICATE-----'))
    fail('INVALID_VARIABLE', `${variable} holds no certificate in PEM`, { path: variable })
  proveUsable({ ca }, variable, `${variable} cannot be used`)
  return { cert, key, ca, requestCert: true, rejectUnauthorized: true }
}

function proveUsable(files: Partial<Pick<TlsOptions, 'cert' | 'key' | 'ca'>>, path: string, message: string): void {
  try {
    createSecureContext(files)
  } catch (cause) {
    fail('INVALID_VARIABLE', `${message}: ${messageOf(cause)}`, { path, cause })
  }
}

function readPem(variable: string, settings: Readonly<Record<string, unknown>>): Buffer | undefined {
  const file = settings[variable]
  if (typeof file !== 'string') return undefined
  try {
    return readFileSync(file)
  } catch (cause) {
    const message = `${variable} names a file that cannot be read: ${messageOf(cause)}`
    return fail('INVALID_VARIABLE', message, { path: variable, cause })
  }
}

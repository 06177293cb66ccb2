/** The certificate of a surface that speaks TLS, read from the files that its settings name. */

import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { fail } from '../errors.js'
import { messageOf } from '../invariant.js'

/** Options for a TLS server of Node. */
export interface TlsOptions {
  readonly cert: Buffer
  readonly key: Buffer
  /** The authorities that client certificates must come from; with them a client without a certificate is turned away. */
  readonly ca?: Buffer
  readonly requestCert?: true
  readonly rejectUnauthorized?: true
}

/**
 * What `PREFIX_TLS_CERT`, `PREFIX_TLS_KEY` and `PREFIX_TLS_CLIENT_CA` name, read again at every call; `undefined` when TLS is off. Throws
 * `INVALID_VARIABLE` when a file cannot be read or the certificate and the key do not fit.
 */
export function readTls(settings: Readonly<Record<string, unknown>>, prefix: string): TlsOptions | undefined {
  const named = (what: string) => settings[`${prefix}_TLS_${what}`] !== undefined
  // One without the other is refused by the rules of the settings, which name it.
  if (!named('CERT') || !named('KEY')) return undefined
  const [cert, key, ca] = ['CERT', 'KEY', 'CLIENT_CA'].map((what) => readPem(`${prefix}_TLS_${what}`, settings))
  if (cert === undefined || key === undefined) return undefined
  proveUsable({ cert, key }, `${prefix}_TLS_CERT`, `${prefix}_TLS_CERT and ${prefix}_TLS_KEY cannot be used`)
  if (ca === undefined) return { cert, key }
  const variable = `${prefix}_TLS_CLIENT_CA`
  // OpenSSL ignores what is no certificate, and then no client could connect.
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

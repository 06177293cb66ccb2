/** The certificate of a surface that speaks TLS, read from the files that its settings name. */
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { fail } from '../errors.js'
import type { Settings } from '../settings.js'

export type TlsPrefix = 'API' | 'PGWIRE' | 'FLIGHT'

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
 * What `PREFIX_TLS_CERT`, `PREFIX_TLS_KEY` and `PREFIX_TLS_CLIENT_CA` name, read anew at every call; `undefined` when TLS is off. Throws
 * `INVALID_VARIABLE` when a file cannot be read or the certificate and the key do not fit.
 */
export function readTls(settings: Settings, prefix: TlsPrefix): TlsOptions | undefined {
  const [cert, key, ca] = [`${prefix}_TLS_CERT`, `${prefix}_TLS_KEY`, `${prefix}_TLS_CLIENT_CA`] as const
  // One without the other is refused by the rules of the settings.
  if (settings[cert] === undefined || settings[key] === undefined) return undefined
  const pair = { cert: readPem(cert, settings[cert]), key: readPem(key, settings[key]) }
  proveUsable(pair, cert, `${cert} and ${key} cannot be used`)
  if (settings[ca] === undefined) return pair
  const authority = readPem(ca, settings[ca])
  // OpenSSL passes over what is no certificate, and nobody could ever connect.
  if (!authority.includes('-----BEGIN CERTIFICATE-----'))
    fail('INVALID_VARIABLE', `${ca} holds no certificate in PEM`, { path: ca })
  proveUsable({ ca: authority }, ca, `${ca} cannot be used`)
  return { ...pair, ca: authority, requestCert: true, rejectUnauthorized: true }
}

function proveUsable(files: Partial<Pick<TlsOptions, 'cert' | 'key' | 'ca'>>, path: string, message: string): void {
  try {
    createSecureContext(files)
  } catch (cause) {
    fail('INVALID_VARIABLE', `${message}: ${(cause as Error).message}`, { path, cause })
  }
}

function readPem(variable: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    return fail('INVALID_VARIABLE', `${variable} names a file that cannot be read: ${(cause as Error).message}`, {
      path: variable,
      cause,
    })
  }
}

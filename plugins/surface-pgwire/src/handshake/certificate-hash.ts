import { createHash } from 'node:crypto'

/**
 * The hash of a server certificate for channel binding by `tls-server-end-point` (RFC 5929). It uses the hash function of the certificate's signature,
 * or SHA-256 instead of MD5 and SHA-1. Node 20 does not expose the algorithm, so it is read from the DER.
 */
export function certificateHash(pem: string): Buffer {
  const base64 = /-----BEGIN CERTIFICATE-----([\s\S]+?)-----END CERTIFICATE-----/.exec(pem)?.[1] ?? ''
  const der = Buffer.from(base64, 'base64')
  const algorithm = hashes.get(signatureAlgorithm(der)) ?? 'sha256'
  return createHash(algorithm).update(der).digest()
}

/** Object identifiers of signatures with SHA-384 and SHA-512: RSA (RFC 8017) and ECDSA (RFC 5758). */
const hashes: ReadonlyMap<string, string> = new Map([
  ['2a864886f70d01010c', 'sha384'],
  ['2a8648ce3d040303', 'sha384'],
  ['2a864886f70d01010d', 'sha512'],
  ['2a8648ce3d040304', 'sha512'],
])

/** Certificate ::= SEQUENCE { tbsCertificate, signatureAlgorithm SEQUENCE { OID, … }, … } */
function signatureAlgorithm(der: Buffer): string {
  const certificate = valueAt(der, 0)
  const body = valueAt(der, certificate.start)
  const algorithm = valueAt(der, body.end)
  const { start, end } = valueAt(der, algorithm.start)
  return der.toString('hex', start, end)
}

/** The start and end of the contents of a DER value. */
function valueAt(der: Buffer, at: number): { readonly start: number; readonly end: number } {
  const short = der[at + 1] ?? 0
  if (short < 0x80) return { start: at + 2, end: at + 2 + short }
  const bytes = short & 0x7f
  const start = at + 2 + bytes
  return { start, end: start + (bytes > 0 && bytes <= 4 && start <= der.length ? der.readUIntBE(at + 2, bytes) : 0) }
}

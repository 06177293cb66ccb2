import { createHash } from 'node:crypto'

/**
 * The hash of a server certificate that `tls-server-end-point` binds to (RFC 5929): that of the certificate's own signature, SHA-256 where
 * that would be MD5 or SHA-1. Node 20 does not tell the algorithm, so it is read from the DER.
 */
export function certificateHash(pem: string): Buffer {
  const base64 = /-----BEGIN CERTIFICATE-----([\s\S]+?)-----END CERTIFICATE-----/.exec(pem)?.[1] ?? ''
  const der = Buffer.from(base64, 'base64')
  const algorithm = hashes.get(signatureAlgorithm(der)) ?? 'sha256'
  return createHash(algorithm).update(der).digest()
}

/** Object identifiers of signatures by SHA-384 and SHA-512: RSA (RFC 8017) and ECDSA (RFC 5758). */
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

/** Where the contents of a DER value lie. */
function valueAt(der: Buffer, at: number): { readonly start: number; readonly end: number } {
  const short = der[at + 1] ?? 0
  if (short < 0x80) return { start: at + 2, end: at + 2 + short }
  const bytes = short & 0x7f
  const start = at + 2 + bytes
  return { start, end: start + (bytes > 0 && bytes <= 4 && start <= der.length ? der.readUIntBE(at + 2, bytes) : 0) }
}

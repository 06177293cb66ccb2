/** Digests and random values as `node:crypto` gives them. */

import { Buffer } from 'node:buffer'
import { hmac } from '@noble/hashes/hmac.js'
import { sha1 } from '@noble/hashes/legacy.js'
import { pbkdf2Async } from '@noble/hashes/pbkdf2.js'
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js'

const HASHES = { sha1, sha256, sha384, sha512 }
type Name = keyof typeof HASHES
type Data = string | Uint8Array

const bytesOf = (data: Data, encoding?: BufferEncoding): Uint8Array =>
  typeof data === 'string' ? Buffer.from(data, encoding) : data

interface Digest {
  update(bytes: Uint8Array): unknown
  digest(): Uint8Array
}

class Hash {
  readonly #digest: Digest
  constructor(digest: Digest) {
    this.#digest = digest
  }
  update(data: Data, encoding?: BufferEncoding): this {
    this.#digest.update(bytesOf(data, encoding))
    return this
  }
  digest(encoding?: BufferEncoding): Buffer | string {
    const bytes = Buffer.from(this.#digest.digest())
    return encoding === undefined ? bytes : bytes.toString(encoding)
  }
}

export const createHash = (name: string): Hash => new Hash(HASHES[name as Name].create())
export const createHmac = (name: string, key: Data): Hash => new Hash(hmac.create(HASHES[name as Name], bytesOf(key)))
export const hash = (name: string, data: Data, encoding: BufferEncoding = 'hex') => createHash(name).update(data).digest(encoding)
export const randomUUID = (): string => globalThis.crypto.randomUUID()
export const randomBytes = (size: number): Buffer => Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(size)))
export const getRandomValues = <T extends Uint8Array>(array: T): T => globalThis.crypto.getRandomValues(array as never) as T
export const webcrypto = globalThis.crypto

export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean {
  let differs = a.length ^ b.length
  for (let i = 0; i < a.length; i++) differs |= a[i]! ^ (b[i] ?? 0)
  return differs === 0
}

export function pbkdf2(
  password: Data,
  salt: Data,
  rounds: number,
  length: number,
  name: string,
  done: (error: Error | null, key: Buffer) => void,
): void {
  pbkdf2Async(HASHES[name as Name], bytesOf(password), bytesOf(salt), { c: rounds, dkLen: length }).then(
    (key) => done(null, Buffer.from(key)),
    (error: Error) => done(error, Buffer.alloc(0)),
  )
}

export default { createHash, createHmac, hash, randomUUID, randomBytes, timingSafeEqual, pbkdf2, webcrypto, getRandomValues }

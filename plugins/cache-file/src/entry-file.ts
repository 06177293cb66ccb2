/** Magic, expiry, length of the key, length of the value, hash of all of these and the key, then key and value. */
import { createHash } from 'node:crypto'

const MAGIC = Buffer.from('GLF1')
const EXPIRY = 4
const KEY_LENGTH = 12
const VALUE_LENGTH = 16
const HASH = 24
const KEY = 56

/** Enough of a file to read its head; a longer key is not cached. */
export const HEAD_BYTES = 16_384

export interface Head {
  readonly key: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

export function encodeFile(key: string, value: Uint8Array, expiresAt: number): Buffer {
  const name = Buffer.from(key)
  const start = valueStart(name.length)
  const bytes = Buffer.alloc(start + value.byteLength)
  MAGIC.copy(bytes)
  bytes.writeDoubleLE(expiresAt, EXPIRY)
  bytes.writeUInt32LE(name.length, KEY_LENGTH)
  bytes.writeDoubleLE(value.byteLength, VALUE_LENGTH)
  name.copy(bytes, KEY)
  hashOf(bytes, name.length).copy(bytes, HASH)
  bytes.set(value, start)
  return bytes
}

/** `undefined` unless these are the first bytes of a whole file of ours that is `size` bytes long. */
export function readHead(bytes: Buffer, size: number): Head | undefined {
  if (bytes.length < KEY || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined
  const keyLength = bytes.readUInt32LE(KEY_LENGTH)
  if (KEY + keyLength > bytes.length || valueStart(keyLength) + bytes.readDoubleLE(VALUE_LENGTH) !== size) return undefined
  if (!hashOf(bytes, keyLength).equals(bytes.subarray(HASH, KEY))) return undefined
  return { key: bytes.toString('utf8', KEY, KEY + keyLength), expiresAt: bytes.readDoubleLE(EXPIRY) }
}

/** The value that was written under `key`, if the file is whole. */
export function readValue(bytes: Buffer, key: string): { readonly value: Uint8Array; readonly expiresAt: number } | undefined {
  const head = readHead(bytes, bytes.length)
  if (head?.key !== key) return undefined
  return { value: bytes.subarray(valueStart(bytes.readUInt32LE(KEY_LENGTH))), expiresAt: head.expiresAt }
}

/** A multiple of eight bytes, so that numbers in the value are aligned. */
const valueStart = (keyLength: number): number => (KEY + keyLength + 7) & ~7

function hashOf(bytes: Buffer, keyLength: number): Buffer {
  return createHash('sha256')
    .update(bytes.subarray(0, HASH))
    .update(bytes.subarray(KEY, KEY + keyLength))
    .digest()
}

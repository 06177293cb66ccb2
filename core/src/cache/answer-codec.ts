/**
 * A cached answer as bytes: a header, then its batches in Arrow's layout, so that reading needs no decoding. Bytes that differ from what
 * was written, or were written for another key, are not an answer.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { buffersOf } from '../result/batch-buffers.js'
import type { ColumnVector, RecordBatch, ResultSchema } from '../result/record-batch.js'
import type { Lifetime } from './freshness.js'

export interface KeptAnswer {
  readonly batches: readonly RecordBatch[]
  readonly rowCount: number
  readonly truncated: boolean
  /** When its statement began, and when the answer expires, in milliseconds since 1970. */
  readonly keptAt: number
  readonly expiresAt: number
  readonly lifetime: Lifetime
}

const MAGIC = Buffer.from('GLA2')
const HASH_BYTES = 32
/** Magic, length of the header, keyed hash of both and of the rest. */
const PROLOGUE = MAGIC.length + 4 + HASH_BYTES

interface Expected {
  readonly key: string
  readonly schema: ResultSchema
  readonly secret: Uint8Array
}

interface Header extends Omit<KeptAnswer, 'batches'> {
  readonly key: string
  readonly batches: readonly { readonly rowCount: number; readonly columns: readonly ColumnHeader[] }[]
}
interface ColumnHeader {
  readonly kind: ColumnVector['kind']
  readonly length: number
  /** Bytes of each buffer: validity (-1 for none), then values, or offsets and text. */
  readonly bytes: readonly number[]
}

const padded = (bytes: number): number => (bytes + 7) & ~7
const NONE = -1

/** `secret` distinguishes entries of this server from those of other writers to the same store. */
export function encodeAnswer(key: string, { batches, ...rest }: KeptAnswer, secret: Uint8Array): Uint8Array {
  const described = batches.map(({ rowCount, columns }) => ({
    rowCount,
    columns: columns.map((column) => ({
      kind: column.kind,
      length: column.length,
      bytes: buffersOf(column).map((buffer) => buffer?.byteLength ?? NONE),
    })),
  }))
  const header = Buffer.from(JSON.stringify({ ...rest, key, batches: described } satisfies Header))
  const buffers = batches.flatMap(({ columns }) => columns.flatMap(buffersOf)).filter((buffer) => buffer !== undefined)
  const body = PROLOGUE + padded(header.length)
  const bytes = Buffer.alloc(buffers.reduce((sum, buffer) => sum + padded(buffer.byteLength), body))
  MAGIC.copy(bytes)
  bytes.writeUInt32LE(header.length, MAGIC.length)
  header.copy(bytes, PROLOGUE)
  let at = body
  for (const buffer of buffers) {
    bytes.set(buffer, at)
    at += padded(buffer.byteLength)
  }
  hashOf(bytes, secret).copy(bytes, MAGIC.length + 4)
  return bytes
}

/** `undefined` for anything that `encodeAnswer` did not write for this key and schema, with this secret. */
export function decodeAnswer({ key, schema, secret }: Expected, given: Uint8Array): KeptAnswer | undefined {
  const bytes = aligned(given)
  if (bytes.length < PROLOGUE || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined
  if (!timingSafeEqual(hashOf(bytes, secret), bytes.subarray(MAGIC.length + 4, PROLOGUE))) return undefined
  const length = bytes.readUInt32LE(MAGIC.length)
  const { key: own, batches, ...rest } = JSON.parse(bytes.toString('utf8', PROLOGUE, PROLOGUE + length)) as Header
  if (own !== key || batches.some(({ columns }) => columns.length !== schema.length)) return undefined
  let at = PROLOGUE + padded(length)
  const take = (size: number): Uint8Array | undefined => {
    if (size === NONE) return undefined
    const part = bytes.subarray(at, at + size)
    at += padded(size)
    return part
  }
  const read = batches.map(({ rowCount, columns }) => ({
    schema,
    rowCount,
    columns: columns.map((column) => vectorOf(column, column.bytes.map(take))),
  }))
  return { ...rest, batches: read }
}

function vectorOf(
  { kind, length }: ColumnHeader,
  [validity, first = NOTHING, second = NOTHING]: readonly (Uint8Array | undefined)[],
): ColumnVector {
  const { buffer, byteOffset, byteLength } = first
  const values64 = () => new BigInt64Array(buffer, byteOffset, byteLength / 8)
  switch (kind) {
    case 'boolean':
      return { kind, length, validity, values: first }
    case 'int64':
    case 'decimal128':
      return { kind, length, validity, values: values64() }
    case 'float64':
      return { kind, length, validity, values: new Float64Array(buffer, byteOffset, byteLength / 8) }
    case 'date32':
      return { kind, length, validity, values: new Int32Array(buffer, byteOffset, byteLength / 4) }
    case 'utf8':
      return { kind, length, validity, offsets: new Int32Array(buffer, byteOffset, byteLength / 4), bytes: second }
  }
}

const NOTHING = new Uint8Array(0)

/** Number arrays must be aligned in memory; a copy is. */
function aligned(given: Uint8Array): Buffer {
  const bytes = given.byteOffset % 8 === 0 ? given : new Uint8Array(given)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function hashOf(bytes: Buffer, secret: Uint8Array): Buffer {
  return createHmac('sha256', secret)
    .update(bytes.subarray(0, MAGIC.length + 4))
    .update(bytes.subarray(PROLOGUE))
    .digest()
}

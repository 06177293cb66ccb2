/**
 * Compressed bytes that end after a byte, so that others may follow them. A cached answer is compressed once, and the few bytes at its end, which
 * are different each time, follow it as they are.
 */
import { promisify } from 'node:util'
import { brotliCompress, constants, crc32, deflateRaw } from 'node:zlib'
import { BROTLI, GZIP } from './compress.js'

/** The encodings in which that is possible, the better one first. */
export const COMPLETED = ['br', 'gzip'] as const
export type CompletedEncoding = (typeof COMPLETED)[number]

/** The longest text that can follow. */
export const LONGEST_END = 65_535

const compressBrotli = promisify(brotliCompress)
const compressRaw = promisify(deflateRaw)

/** The start of a compressed text. */
export function compressedStart(text: Buffer, encoding: CompletedEncoding): Promise<Buffer> {
  return encoding === 'br' ? brotliStart(text) : gzipStart(text)
}

/** What completes such a start: `end`, of at most `LONGEST_END` bytes, and the marks of the end. `text` is what was compressed. */
export function compressedEnd(text: TextSum, end: Buffer, encoding: CompletedEncoding): Buffer {
  return encoding === 'br' ? brotliEnd(end) : gzipEnd(text, end)
}

/** What the end of a compressed text repeats about its start. */
export interface TextSum {
  readonly length: number
  readonly crc: number
}

export const sumOf = (text: Buffer): TextSum => ({ length: text.length, crc: crc32(text) })

const brotliStart = (text: Buffer): Promise<Buffer> =>
  compressBrotli(text, { ...BROTLI, finishFlush: constants.BROTLI_OPERATION_FLUSH })

/** https://www.rfc-editor.org/rfc/rfc7932#section-9.2: a meta-block that is not compressed, and an empty last one. */
function brotliEnd(end: Buffer): Buffer {
  if (end.length === 0) return Buffer.from([LAST_AND_EMPTY])
  const bytes = Buffer.alloc(3 + end.length + 1)
  // Not the last (1 bit); the length is one less than said here, in four digits of four bits (2 and 16 bits); not compressed (1 bit).
  bytes.writeUIntLE(((end.length - 1) << 3) | (1 << 19), 0, 3)
  bytes.set(end, 3)
  bytes[3 + end.length] = LAST_AND_EMPTY
  return bytes
}

const LAST_AND_EMPTY = 3

/** https://www.rfc-editor.org/rfc/rfc1952#section-2.3: no name and no time, of an unknown system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

async function gzipStart(text: Buffer): Promise<Buffer> {
  return Buffer.concat([GZIP_HEADER, await compressRaw(text, { ...GZIP, finishFlush: constants.Z_SYNC_FLUSH })])
}

/** A last block that is not compressed (https://www.rfc-editor.org/rfc/rfc1951#section-3.2.4), then checksum and length of the whole. */
function gzipEnd({ length, crc }: TextSum, end: Buffer): Buffer {
  const bytes = Buffer.alloc(5 + end.length + 8)
  bytes[0] = 1
  bytes.writeUInt16LE(end.length, 1)
  bytes.writeUInt16LE(~end.length & 0xffff, 3)
  bytes.set(end, 5)
  bytes.writeUInt32LE(crc32(end, crc), 5 + end.length)
  bytes.writeUInt32LE((length + end.length) % 2 ** 32, 9 + end.length)
  return bytes
}

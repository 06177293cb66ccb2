/** Codecs that Node has natively: one in JavaScript would be too slow for answers. */
import zlib from 'node:zlib'

/** The name in a file, and how a page is compressed. */
export interface Codec {
  readonly codec: 'UNCOMPRESSED' | 'GZIP' | 'BROTLI' | 'ZSTD'
  readonly compress?: (page: Uint8Array) => Uint8Array
}

export const NONE: Codec = { codec: 'UNCOMPRESSED' }

const BROTLI_OPTIONS = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }

/** Zstandard needs Node 22.15. */
interface Compressors {
  readonly gzipSync: unknown
  readonly zstdCompressSync?: (page: Uint8Array) => Uint8Array
}
const { zstdCompressSync }: Compressors = zlib

/** By the name that a client sends. Fast levels, because others wait while a page is compressed. */
export const CODECS: Readonly<Record<string, Codec>> = {
  none: NONE,
  gzip: { codec: 'GZIP', compress: (page) => zlib.gzipSync(page, { level: 1 }) },
  brotli: { codec: 'BROTLI', compress: (page) => zlib.brotliCompressSync(page, BROTLI_OPTIONS) },
  ...(zstdCompressSync && { zstd: { codec: 'ZSTD', compress: (page: Uint8Array) => zstdCompressSync(page) } }),
}

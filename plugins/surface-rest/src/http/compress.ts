import { constants } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** Media types of answers that become smaller. */
export const COMPRESSIBLE = /^application\/(json|x-ndjson|vnd\.apache\.arrow\.stream)|^text\//
/** Smaller answers are not compressed. */
export const LEAST_BYTES = 1024
export const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
export const GZIP = { level: 5 }

/**
 * Answers of the routes registered in `app` are compressed as the client accepts, while they are made. Brotli at its default would take
 * far longer over an answer than the database; Parquet is compressed by itself.
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  // Imported where something is served: commands load this surface without it.
  const { default: compress } = await import('@fastify/compress')
  await app.register(compress, {
    encodings: ['zstd', 'br', 'gzip', 'identity'],
    // A compressed body is refused, so that none need be unpacked.
    globalDecompression: false,
    threshold: LEAST_BYTES,
    customTypes: COMPRESSIBLE,
    brotliOptions: BROTLI,
    zlibOptions: GZIP,
  })
}

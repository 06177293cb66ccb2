import { constants } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

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
    threshold: 1024,
    customTypes: /^application\/(json|x-ndjson|vnd\.apache\.arrow\.stream)|^text\//,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    zlibOptions: { level: 5 },
  })
}

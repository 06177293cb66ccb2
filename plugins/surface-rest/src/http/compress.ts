/**
 * Answers are compressed as the client accepts, while they are made. This is not left to @fastify/compress (9.2): it sends an answer as it is, and
 * calls it compressed, if its first two bytes could be those of zlib, as those of a CSV whose first column is "HK sales" are.
 */
import { pipeline, Readable, type Transform } from 'node:stream'
import zlib, { constants } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

export type Encoding = 'zstd' | 'br' | 'gzip'

type Payload = string | Buffer | Readable | null | undefined
type Done = (error: Error | null, payload?: Payload) => void

interface Compressor {
  readonly start: () => Transform
  readonly whole: (bytes: string | Buffer, done: (error: Error | null, bytes: Buffer) => void) => void
  readonly atOnce: (bytes: string | Buffer) => Buffer
}

/** Brotli at its default would take far longer over an answer than the database. */
export const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
export const GZIP = { level: 5 }

/** Node has it from 22.15 on. */
const { createZstdCompress, zstdCompress, zstdCompressSync } = zlib as Partial<{
  readonly createZstdCompress: Compressor['start']
  readonly zstdCompress: Compressor['whole']
  readonly zstdCompressSync: Compressor['atOnce']
}>

const ZSTD = createZstdCompress &&
  zstdCompress &&
  zstdCompressSync && { start: createZstdCompress, whole: zstdCompress, atOnce: zstdCompressSync }

const COMPRESSORS: { readonly [encoding in Encoding]?: Compressor } = {
  ...(ZSTD && { zstd: ZSTD }),
  br: {
    start: () => zlib.createBrotliCompress(BROTLI),
    whole: (bytes, done) => zlib.brotliCompress(bytes, BROTLI, done),
    atOnce: (bytes) => zlib.brotliCompressSync(bytes, BROTLI),
  },
  gzip: {
    start: () => zlib.createGzip(GZIP),
    whole: (bytes, done) => zlib.gzip(bytes, GZIP, done),
    atOnce: (bytes) => zlib.gzipSync(bytes, GZIP),
  },
}

/** What is supported, and preferred in this order where the client has no preference. */
const ENCODINGS = Object.keys(COMPRESSORS) as Encoding[]
/** Media types of answers that become smaller; Parquet is compressed by itself. */
const COMPRESSIBLE = /^application\/(json|x-ndjson|vnd\.apache\.arrow\.stream)|^text\//
/** Smaller answers are not compressed. */
const LEAST_BYTES = 1024
/** So few bytes are compressed at once: 3,000 take 18 µs, and 116 in a thread of libuv. */
const FEW_BYTES = 16 * 1024

/** From now on, answers of the routes registered in `app` are compressed. */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', compressAnswer)
}

function compressAnswer(_request: FastifyRequest, reply: FastifyReply, payload: Payload, done: Done): void {
  const size = payload ? sizeOf(payload) : 0
  const encoding = encodingFor(reply, size, ENCODINGS)
  const compressor = encoding && COMPRESSORS[encoding]
  if (!payload || !compressor) {
    done(null, payload)
    return
  }
  sayEncoding(reply, encoding)
  if (payload instanceof Readable) done(null, compressedStream(payload, compressor))
  else if (size <= FEW_BYTES) done(null, compressor.atOnce(payload))
  else compressor.whole(payload, done)
}

/** Either fails with the other, and a client who leaves ends both. */
const compressedStream = (payload: Readable, { start }: Compressor): Readable => pipeline(payload, start(), () => {})

const sizeOf = (payload: string | Buffer | Readable): number =>
  payload instanceof Readable ? Number.POSITIVE_INFINITY : Buffer.byteLength(payload)

/** How the client wants so many bytes compressed, as one of `among`; `undefined` if it wants them as they are, or they are compressed already. */
export function encodingFor<E extends Encoding>(reply: FastifyReply, bytes: number, among: readonly E[]): E | undefined {
  const { headers, raw } = reply.request
  if (headers['accept-encoding'] === undefined || headers['x-no-compression'] !== undefined || bytes < LEAST_BYTES)
    return undefined
  if (reply.hasHeader('content-encoding') || !COMPRESSIBLE.test(String(reply.getHeader('content-type')))) return undefined
  const negotiator = new Negotiator(raw)
  const choose: Choose = negotiator.encoding.bind(negotiator)
  const chosen = choose([...among, 'identity'], { preferred: among })
  return among.find((encoding) => encoding === chosen)
}

/** Its types lack the second parameter: what to prefer where the client has no preference. */
type Choose = (available: readonly string[], options: { readonly preferred: readonly string[] }) => string | undefined

/** Tells the client, and the caches on the way, how the answer is compressed. */
export function sayEncoding(reply: FastifyReply, encoding: Encoding): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`).header('content-encoding', encoding)
}

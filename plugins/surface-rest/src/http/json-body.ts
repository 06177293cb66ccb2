import { GrainlineError } from '@grainline/core'
import { Lru } from '@grainline/core/language'
import { clientOf, immutable, jsonPlace, readLargeBody } from '@grainline/core/surface'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refusedKey } from './refused-key.js'

/** The limit of bodies that contain a model. */
export const MODEL_BODY_LIMIT = 32 * 1024 * 1024
/** The limit of all other bodies. */
export const BODY_LIMIT = 1024 * 1024

/** Reads bodies as uncompressed JSON; an empty one counts as no body. Small values are frozen, because requests with the same text share them. */
export function readJsonBodies(app: FastifyInstance): void {
  const callback = app.getDefaultJsonParser('error', 'error')
  const parse = (request: FastifyRequest, body: string, done: Done) =>
    void callback(request, body, (error, value) => (error ? done(placed(error, body)) : done(null, value)))
  const read = remembered(parse)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    const { 'content-encoding': encoding = 'identity' } = request.headers
    if (encoding !== 'identity')
      return done(new GrainlineError('UNSUPPORTED_MEDIA_TYPE', 'The body is compressed; send it uncompressed'))
    if (body.length === 0) return done(null, undefined)
    if (body.length <= SMALL) return read(request, body.toString(), done)
    if (body.length <= LARGE) return parse(request, body.toString(), done)
    // Another thread parses the body, so that no other request waits for it.
    readLargeBody(body, clientOf({ address: request.ip })).then(
      ({ rest, texts }) =>
        parse(request, rest, (error, value) => (error ? done(error) : done(null, { ...(value as object), ...texts }))),
      done,
    )
  })
}

type Done = (error: Error | null, value?: unknown) => void
type Parse = (request: FastifyRequest, body: string, done: Done) => void

/** Caches parsed bodies, because clients repeat their questions. The values are frozen, because clients share them. */
function remembered(parse: Parse): Parse {
  const known = new Lru<{ readonly value: unknown }>(REMEMBERED)
  return (request, body, done) => {
    const found = known.get(body)
    if (found !== undefined) return done(null, found.value)
    parse(request, body, (error, value) => {
      if (error) return done(error)
      known.set(body, { value: immutable(value) }, body.length * BYTES_PER_CHARACTER)
      done(null, value)
    })
  }
}

/** Most queries are shorter. */
const SMALL = 4 * 1024
const REMEMBERED = { maxEntries: 1000, maxBytes: 4 * 1024 * 1024 }
/** An estimate for the text and its value. An empty list inside a list takes about eighty bytes for its three characters. */
const BYTES_PER_CHARACTER = 32

/** Parsing a smaller body takes only some milliseconds, whatever it contains. */
const LARGE = 256 * 1024

/** Longer texts are not parsed again to find the place of a fault. */
const MOST_READ_AGAIN = 1024 * 1024

/** The error of the parser, with the line and column. */
function placed(error: Error, body: string): Error {
  if (body.length > MOST_READ_AGAIN) return error
  let read: unknown
  try {
    read = JSON.parse(body)
  } catch (cause) {
    const { line, column } = jsonPlace(body)
    return new GrainlineError('BAD_REQUEST', `The body is not well-formed JSON; the error is at line ${line}, column ${column}`, {
      cause,
    })
  }
  return refusedKey(read) ?? error
}

import { GrainlineError } from '@grainline/core'
import { clientOf, immutable, jsonPlace, Lru, readLargeBody } from '@grainline/core/surface'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refusedKey } from './refused-key.js'

/** 32 MiB, for bodies that carry a model. */
export const MODEL_BODY_LIMIT = 32 * 1024 * 1024
/** 1 MiB, for all others. */
export const BODY_LIMIT = 1024 * 1024

/** Bodies are JSON and nothing else, and not compressed; an empty one is no body. A small one is frozen: the same text is the same value. */
export function readJsonBodies(app: FastifyInstance): void {
  const callback = app.getDefaultJsonParser('error', 'error')
  const parse = (request: FastifyRequest, body: string, done: Done) =>
    void callback(request, body, (error, value) => (error ? done(placed(error, body)) : done(null, value)))
  const read = remembered(parse)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    const { 'content-encoding': encoding = 'identity' } = request.headers
    if (encoding !== 'identity')
      return done(new GrainlineError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent as it is, not compressed'))
    if (body.length === 0) return done(null, undefined)
    if (body.length <= SMALL) return read(request, body.toString(), done)
    if (body.length <= LARGE) return parse(request, body.toString(), done)
    // A thread splits the body, so that no other request waits for it; the result is small except for its texts.
    readLargeBody(body, clientOf({ address: request.ip })).then(
      ({ rest, texts }) =>
        parse(request, rest, (error, value) => (error ? done(error) : done(null, { ...(value as object), ...texts }))),
      done,
    )
  })
}

type Done = (error: Error | null, value?: unknown) => void
type Parse = (request: FastifyRequest, body: string, done: Done) => void

/** Clients ask the same again and again: what was read lately is not read again. Every client may get the value, so nothing can change it. */
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

/** Most bodies that ask a question are shorter. */
const SMALL = 4 * 1024
const REMEMBERED = { maxEntries: 1000, maxBytes: 4 * 1024 * 1024 }
/** Of the text and of the value: an empty list in a list takes some eighty for its three characters. */
const BYTES_PER_CHARACTER = 32

/** Reading less JSON than this takes some milliseconds, whatever is in it. */
const LARGE = 256 * 1024

/** Longer texts are not read again to find the place. */
const MOST_READ_AGAIN = 1024 * 1024

/** Why the parser refused a body, and where. */
function placed(error: Error, body: string): Error {
  if (body.length > MOST_READ_AGAIN) return error
  let read: unknown
  try {
    read = JSON.parse(body)
  } catch (cause) {
    const { line, column } = jsonPlace(body)
    return new GrainlineError('BAD_REQUEST', `The body is not well-formed JSON: line ${line}, column ${column} breaks it`, {
      cause,
    })
  }
  return refusedKey(read) ?? error
}

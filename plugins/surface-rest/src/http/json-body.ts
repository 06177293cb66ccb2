import { GrainlineError } from '@grainline/core'
import { clientOf, jsonPlace, readLargeBody } from '@grainline/core/surface'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refusedKey } from './refused-key.js'

/** 32 MiB, for bodies that carry a model. */
export const MODEL_BODY_LIMIT = 32 * 1024 * 1024
/** 1 MiB, for all others. */
export const BODY_LIMIT = 1024 * 1024

/** Bodies are JSON and nothing else, and not compressed; an empty one is no body. */
export function readJsonBodies(app: FastifyInstance): void {
  const callback = app.getDefaultJsonParser('error', 'error')
  const parse = (request: FastifyRequest, body: string) =>
    new Promise<unknown>((resolve, reject) => {
      void callback(request, body, (error, value) => (error ? reject(placed(error, body)) : resolve(value)))
    })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    const { 'content-encoding': encoding = 'identity' } = request.headers
    if (encoding !== 'identity')
      throw new GrainlineError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent as it is, not compressed')
    if (body.length === 0) return undefined
    if (body.length <= LARGE) return parse(request, body.toString())
    // A thread splits the body, so that no other request waits for it; the result is small except for its texts.
    const { rest, texts } = await readLargeBody(body, clientOf({ address: request.ip }))
    return { ...((await parse(request, rest)) as object), ...texts }
  })
}

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

import { GrainlineError, jsonPlace } from '@grainline/core'
import type { FastifyInstance } from 'fastify'

/** 32 MiB, for bodies that carry a model. */
export const MODEL_BODY_LIMIT = 32 * 1024 * 1024
/** 1 MiB, for all others. */
export const BODY_LIMIT = 1024 * 1024

/** Bodies are JSON and nothing else, and not compressed; an empty one is no body. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const { 'content-encoding': encoding = 'identity' } = request.headers
    if (encoding !== 'identity')
      done(new GrainlineError('UNSUPPORTED_MEDIA_TYPE', 'The body must be sent as it is, not compressed'))
    else if (body.length === 0) done(null, undefined)
    else parse(request, body as string, (error, value) => done(error && placed(error, body as string), value))
  })
}

/** Longer texts are not read again to find the place. */
const MOST_READ_AGAIN = 1024 * 1024

function placed(error: Error, body: string): Error {
  if (/forbidden prototype/.test(error.message) || body.length > MOST_READ_AGAIN) return error
  const { line, column } = jsonPlace(body)
  return new GrainlineError('BAD_REQUEST', `The body is not well-formed JSON: line ${line}, column ${column} breaks it`, {
    cause: error,
  })
}

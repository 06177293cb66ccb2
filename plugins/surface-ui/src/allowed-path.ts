import { GrainlineError } from '@grainline/core'

export interface AskedPath {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path with the query string. */
  readonly path: string
}

/** The requests of the page. The list of sessions is not among them: with `SVC_API_KEY` all pages share one key, and would see the sessions of others. */
const ALLOWED: readonly (readonly [method: AskedPath['method'], path: RegExp])[] = [
  ['GET', /^\/health$/],
  ['GET', /^\/v1\/(?:models|dialects|settings|cache\/stats)$/],
  ['GET', /^\/v1\/reference(?:\/[^?]+)?$/],
  ['POST', /^\/v1\/(?:sessions|validate|convert)$/],
  ['GET', /^\/v1\/sessions\/[^/]+(?:\/models(?:\/.+)?)?$/],
  ['POST', /^\/v1\/sessions\/[^/]+\/(?:models|validate|diff|query\/.+|models\/[^/]+\/.+)$/],
  ['DELETE', /^\/v1\/sessions\/[^/]+(?:\/models\/[^/]+)?$/],
]

/** Throws `NOT_FOUND` for requests that the page does not need, and for paths that URL parsers could read differently. */
export function allowedPath(method: string, asked: string): AskedPath {
  const path = asked.split('?', 1)[0] ?? ''
  const found = ALLOWED.find(([allowed, pattern]) => allowed === method && pattern.test(path))
  if (!found || !isPlain(path)) throw new GrainlineError('NOT_FOUND', 'The page may not send this request to the API')
  return { method: found[0], path: asked }
}

/** Whether a path contains no `..` in any encoding, no backslash, no empty segment, and no control character. */
function isPlain(path: string): boolean {
  return new URL(path, 'http://api').pathname === path && !/\/\/|%2f|%5c|%2e|%00/i.test(path)
}

import { GrainlineError } from '@grainline/core'

export interface AskedPath {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** With its query string. */
  readonly path: string
}

/** What the page asks. Sessions are not listed: all pages share one key, and would see each other's. */
const ALLOWED: readonly (readonly [method: AskedPath['method'], path: RegExp])[] = [
  ['GET', /^\/health$/],
  ['GET', /^\/v1\/(?:models|dialects|settings|cache\/stats)$/],
  ['GET', /^\/v1\/reference(?:\/[^?]+)?$/],
  ['POST', /^\/v1\/(?:sessions|validate)$/],
  ['GET', /^\/v1\/sessions\/[^/]+(?:\/models(?:\/.+)?)?$/],
  ['POST', /^\/v1\/sessions\/[^/]+\/(?:models|validate|diff|query\/.+|models\/[^/]+\/.+)$/],
  ['DELETE', /^\/v1\/sessions\/[^/]+(?:\/models\/[^/]+)?$/],
]

/** Throws `NOT_FOUND` for what the page does not need, and for a path that another reader of URLs could take for another one. */
export function allowedPath(method: string, asked: string): AskedPath {
  const path = asked.split('?', 1)[0] ?? ''
  const found = ALLOWED.find(([allowed, pattern]) => allowed === method && pattern.test(path))
  if (!found || !isPlain(path)) throw new GrainlineError('NOT_FOUND', 'The page does not ask this of the API')
  return { method: found[0], path: asked }
}

/** Without `..`, however it is spelled, backslashes, empty segments, and control characters. */
function isPlain(path: string): boolean {
  return new URL(path, 'http://api').pathname === path && !/\/\/|%2f|%5c|%2e|%00/i.test(path)
}

/** Refuses browser requests from a page of another origin, unless `ALLOWED_ORIGINS` lists that origin. */
import type { IncomingHttpHeaders } from 'node:http'

export type Origin =
  | { readonly kind: 'own' }
  /** Listed; the answer must name it. */
  | { readonly kind: 'listed'; readonly origin: string }
  | { readonly kind: 'foreign'; readonly origin: string }

type Asked = { readonly method: string; readonly headers: IncomingHttpHeaders }

const OWN: Origin = { kind: 'own' }

/**
 * Browsers send the source of a request in `Sec-Fetch-Site`, or otherwise in `Origin`. A client that sends neither is not a browser. A user
 * who follows a link from another site to a page of this server is admitted, because the other site cannot read the answer.
 */
export function originOf({ method, headers }: Asked, listed: readonly string[]): Origin {
  const { origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers
  if (origin !== undefined && listed.includes(origin)) return { kind: 'listed', origin }
  if (site === 'same-origin' || site === 'none') return OWN
  const reads = method === 'GET' || method === 'HEAD'
  if (site !== undefined) return mode === 'navigate' && reads ? OWN : { kind: 'foreign', origin: origin ?? String(site) }
  return origin === undefined || isOwn(origin, headers.host) ? OWN : { kind: 'foreign', origin }
}

/** The scheme is not compared, because a proxy may use TLS although this server does not. */
function isOwn(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false
  const { protocol, host: named } = new URL(origin)
  return URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === named
}

/** Headers of an answer that the page of a listed origin may read. */
export const corsHeaders = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  vary: 'origin',
  'access-control-expose-headers':
    'x-request-id, etag, retry-after, server-timing, www-authenticate, x-grainline-timezone, x-grainline-truncated, x-grainline-cached, x-grainline-warnings',
})

/** Headers of the answer to a preflight: https://fetch.spec.whatwg.org/#cors-preflight-fetch */
export const preflightHeaders = (keyHeader: string): Record<string, string> => ({
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': `content-type, accept, authorization, if-none-match, traceparent, ${keyHeader.toLowerCase()}`,
  'access-control-max-age': '600',
})

/** Answers the preflight of a browser. */
export const isPreflight = ({ method, headers }: Asked): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined

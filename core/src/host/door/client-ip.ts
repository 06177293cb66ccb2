import type { FastifyRequest } from 'fastify'

/**
 * The client's address as the outermost of `trustedProxies` reverse proxies saw it; 0 trusts no header. Computed here and not by Fastify,
 * whose `trustProxy` belongs to the surrounding application.
 */
export function clientIp(request: Pick<FastifyRequest, 'headers' | 'raw'>, trustedProxies: number): string {
  const peer = request.raw.socket.remoteAddress ?? 'unknown'
  if (trustedProxies === 0) return peer
  const chain = [...forwardedFor(request), peer]
  return chain[Math.max(0, chain.length - 1 - trustedProxies)] ?? peer
}

/** The addresses that proxies, or the client itself, wrote into `X-Forwarded-For`. */
export function forwardedFor({ headers }: Pick<FastifyRequest, 'headers'>): readonly string[] {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',')
  return forwarded
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

import type { FastifyRequest } from 'fastify'

/**
 * The client's address as the outermost of `trustedProxies` reverse proxies saw it; 0 trusts no header. Computed here and not by Fastify,
 * whose `trustProxy` belongs to the surrounding application.
 */
export function clientIp(request: Pick<FastifyRequest, 'headers' | 'raw'>, trustedProxies: number): string {
  const peer = request.raw.socket.remoteAddress ?? 'unknown'
  if (trustedProxies === 0) return peer
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',')
  const chain = [...forwarded.split(','), peer].map((entry) => entry.trim()).filter((entry) => entry !== '')
  return chain[Math.max(0, chain.length - 1 - trustedProxies)] ?? peer
}

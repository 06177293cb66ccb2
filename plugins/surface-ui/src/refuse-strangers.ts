import { GrainlineError } from '@grainline/core'
import type { FastifyRequest } from 'fastify'

/**
 * The server may know a visitor without a word of the page, so other sites must not be able to use its routes. A custom header requires a CORS preflight
 * across origins, which this server never allows. `Sec-Fetch-Site` is checked too if the browser sends it.
 */
export function refuseStrangers({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const site = headers['sec-fetch-site']
  if (headers['x-grainline-ui'] === '1' && (site === undefined || site === 'same-origin')) return
  throw new GrainlineError('ORIGIN_REFUSED', 'Only the page at /ui may send this request', {
    hint: 'Programs ask /v1 of the API itself, with a key of their own.',
  })
}

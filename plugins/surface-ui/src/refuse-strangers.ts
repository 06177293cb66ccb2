import { GrainlineError } from '@grainline/core'
import type { FastifyRequest } from 'fastify'

/**
 * The page has no login, so that a page of another site must not be able to drive it. A header of our own makes browsers ask before
 * they send it across origins, and that question is never answered here; `Sec-Fetch-Site` says the same where browsers send it.
 */
export function refuseStrangers({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const site = headers['sec-fetch-site']
  if (headers['x-grainline-ui'] === '1' && (site === undefined || site === 'same-origin')) return
  throw new GrainlineError('ORIGIN_REFUSED', 'Only the page at /ui may ask here', {
    hint: 'Programs ask /v1 of the API itself, with a key of their own.',
  })
}

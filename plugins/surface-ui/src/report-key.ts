import { buffer } from 'node:stream/consumers'
import { codeOf, messageOf } from '@grainline/core'
import type { SurfaceContext } from '@grainline/core/surface'
import type { Upstream } from './upstream/upstream.js'

/** Logs at the start with whose rights the page asks: with those of each person, or with those of its key for anyone who reaches it. */
export async function reportKey(upstream: Upstream, { settings, logger }: SurfaceContext): Promise<void> {
  const { SVC_API_KEY: key, API_BASE_URL: address } = settings
  const mode = address === undefined ? settings.AUTH_MODE : await modeOf(upstream, { address, logger })
  if (mode === undefined) return
  if (key === undefined && mode !== 'none') {
    logger.error(
      `SVC_API_KEY is not set and the API wants a key (AUTH_MODE=${mode}): people sign in at /ui with a key or token of their own. Set SVC_API_KEY if all of them may act with one key, or UI_ENABLED=false.`,
    )
  } else if (key !== undefined) {
    logger.warn('SVC_API_KEY is set: everyone who can reach /ui acts with that key. Restrict access to /ui.')
  }
}

/** The `AUTH_MODE` of a remote API; `undefined` if it does not answer, which is logged. */
async function modeOf(
  upstream: Upstream,
  { address, logger }: { readonly address: string; readonly logger: SurfaceContext['logger'] },
): Promise<string | undefined> {
  try {
    const request = {
      method: 'GET',
      path: '/health',
      headers: {},
      remoteAddress: '127.0.0.1',
      signal: AbortSignal.timeout(5000),
    } as const
    const { body } = await upstream(request)
    const { auth_mode }: { readonly auth_mode?: string } = JSON.parse((await buffer(body)).toString('utf8'))
    return auth_mode
  } catch (error) {
    const why = codeOf(error) ?? messageOf(error)
    logger.warn(`The API at API_BASE_URL=${address} does not answer yet (${why}). The page at /ui works as soon as it does.`)
    return undefined
  }
}

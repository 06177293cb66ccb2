import { askWithin, type HttpSurface, type SurfaceContext } from '@grainline/core/surface'
import type { FastifyInstance } from 'fastify'
import { apiRoutes } from './api-routes.js'
import { builtPage } from './built-page.js'
import { pageRoutes } from './page-routes.js'
import { reportKey } from './report-key.js'
import { forwardOverNetwork } from './upstream/forward-over-network.js'
import type { Upstream } from './upstream/upstream.js'

/** The page has no login, so its routes are open. Its requests to `/v1` have the key of `SVC_API_KEY`. */
const OPEN = ['GET /ui', 'GET /ui/*', 'GET /ui/api/*', 'POST /ui/api/*', 'DELETE /ui/api/*']

export interface UiOptions {
  /** Sends requests to a remote API. If absent, the API is in the same server. */
  readonly upstream?: Upstream
}

export function uiSurface({ upstream }: UiOptions = {}): HttpSurface {
  return {
    name: 'ui',
    kind: 'http',
    open: OPEN,
    home: '/ui',
    routes: async (app, context) => {
      const page = await builtPage()
      const { SVC_API_KEY: key, API_KEY_HEADER: keyHeader, ROOT_PATH: rootPath } = context.settings
      const reach = upstream ?? upstreamOf(app, context)
      app.removeAllContentTypeParsers()
      pageRoutes(app, { page, rootPath })
      apiRoutes(app, { upstream: reach, credential: key === undefined ? {} : { [keyHeader.toLowerCase()]: key } })
      // This runs when the server is ready, because the API may be this server.
      app.addHook('onReady', () => reportKey(reach, context))
    },
  }
}

/** `API_BASE_URL` names a remote API. Without it, the API is in the same server. */
function upstreamOf(app: FastifyInstance, { settings }: SurfaceContext): Upstream {
  const { API_BASE_URL: address } = settings
  return address === undefined ? forwardWithin(app) : forwardOverNetwork({ address })
}

/** Injects requests into the server of the page. */
function forwardWithin(app: FastifyInstance): Upstream {
  return ({ path, ...request }) => askWithin(app, { ...request, url: app.prefix + path })
}

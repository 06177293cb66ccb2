import { askWithin, type HttpSurface, type SurfaceContext } from '@grainline/core/surface'
import type { FastifyInstance } from 'fastify'
import { apiRoutes } from './api-routes.js'
import { builtPage } from './built-page.js'
import { pageRoutes } from './page-routes.js'
import { reportKey } from './report-key.js'
import { forwardOverNetwork } from './upstream/forward-over-network.js'
import type { Upstream } from './upstream/upstream.js'

/** The page has no login, so its routes are open; what it asks of `/v1` carries the key of `SVC_API_KEY`. */
const OPEN = ['GET /ui', 'GET /ui/*', 'GET /ui/api/*', 'POST /ui/api/*', 'DELETE /ui/api/*']

export interface UiOptions {
  /** How the API is reached over the network; within the server that serves the page when absent. */
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
      // After everything listens, since the API may be this very server.
      app.addHook('onReady', () => reportKey(reach, context))
    },
  }
}

/** `API_BASE_URL` names another server; without it the API is beside the page. */
function upstreamOf(app: FastifyInstance, { settings }: SurfaceContext): Upstream {
  const { API_BASE_URL: address } = settings
  return address === undefined ? forwardWithin(app) : forwardOverNetwork({ address })
}

/** Requests to the server that serves the page. */
function forwardWithin(app: FastifyInstance): Upstream {
  return ({ path, ...request }) => askWithin(app, { ...request, url: app.prefix + path })
}

import { askWithin, type HttpSurface, type SurfaceContext } from '@grainline/core/surface'
import type { FastifyInstance } from 'fastify'
import { apiRoutes, type Rights } from './api-routes.js'
import { builtPage } from './built-page.js'
import { pageRoutes } from './page-routes.js'
import { reportKey } from './report-key.js'
import { signInRoutes } from './sign-in-routes.js'
import { forwardOverNetwork } from './upstream/forward-over-network.js'
import type { Upstream } from './upstream/upstream.js'

/** A person signs in on the page, so its routes are open. What it asks of `/v1` is checked there. */
const OPEN = [
  'GET /ui',
  'GET /ui/*',
  'GET /ui/api/*',
  'POST /ui/api/*',
  'DELETE /ui/api/*',
  'GET /ui/sign-in',
  'POST /ui/sign-in',
  'POST /ui/sign-out',
]

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
      const { ROOT_PATH: rootPath } = context.settings
      const isRemote = upstream !== undefined || context.settings.API_BASE_URL !== undefined
      const reach = upstream ?? upstreamOf(app, context)
      app.removeAllContentTypeParsers()
      pageRoutes(app, { page, rootPath })
      const rights = rightsOf(context, isRemote)
      apiRoutes(app, { upstream: reach, rights })
      const { issuer, signIn } = context.issuedBy ?? {}
      // With a key of the page nobody signs in, and a remote API has an issuer of its own.
      if (issuer !== undefined && signIn !== undefined && rights.of === 'people' && !isRemote)
        signInRoutes(app, { issuer, signIn })
      // This runs when the server is ready, because the API may be this server.
      app.addHook('onReady', () => reportKey(reach, context))
    },
  }
}

/**
 * Without `SVC_API_KEY` everybody asks with rights of their own: those of the key or token that the page sends, or those that a proxy or the application
 * around this server gives them. Only the latter reads cookies, and a remote API gets none.
 */
function rightsOf({ settings }: SurfaceContext, isRemote: boolean): Rights {
  const { SVC_API_KEY: key, API_KEY_HEADER } = settings
  const keyHeader = API_KEY_HEADER.toLowerCase()
  if (key !== undefined) return { of: 'server', credential: { [keyHeader]: key } }
  return { of: 'people', headers: ['authorization', keyHeader, 'x-on-behalf-of', ...(isRemote ? [] : ['cookie'])] }
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

/** OData v4 as a plugin: each model is a feed at `/odata`. */
import { definePlugin, integer, Type } from '@grainline/core'
import type { SurfaceContext } from '@grainline/core/surface'

export default definePlugin({
  name: '@grainline/surface-odata',
  host: '>=0.1.0 <1.0.0',
  options: Type.Object({}, { additionalProperties: false }),
  settings: {
    ODATA_PAGE_ROWS: integer({
      least: 1,
      most: 10_000_000,
      default: 50_000,
      means: 'Rows of one page of an OData answer. A client follows the link to the next page.',
    }),
  },
  setup(host) {
    const { ODATA_PAGE_ROWS: pageRows } = host.settings
    host.surfaces.register({
      name: 'odata',
      kind: 'http',
      routes: async (app, context: SurfaceContext) => (await import('./surface.js')).odataRoutes(app, { ...context, pageRows }),
    })
  },
})

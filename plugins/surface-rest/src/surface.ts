import { GrainlineError } from '@grainline/core'
import { answerErrors, type HttpSurface, type SurfaceContext } from '@grainline/core/surface'
import type { FastifyInstance } from 'fastify'
import type { RestContext } from './context.js'
import { limitBodies } from './http/body-budget.js'
import { readJsonBodies } from './http/json-body.js'
import { foldRequests } from './http/snake-case.js'
import { traceRequests } from './http/trace.js'
import { readShape, validateStrictly } from './http/validation.js'
import { batchRoutes } from './routes/batch.js'
import { cacheRoutes } from './routes/cache.js'
import { composableRoutes } from './routes/composables.js'
import { convertRoutes } from './routes/convert.js'
import { diagramRoutes } from './routes/diagram.js'
import { dialectRoutes } from './routes/dialects.js'
import { diffRoutes } from './routes/diff.js'
import { discoveryRoutes, joinGraphRoutes, lineageRoutes } from './routes/discovery.js'
import { docsPages } from './routes/docs.js'
import { exampleRoutes, testRoutes } from './routes/examples.js'
import { findRoutes } from './routes/find.js'
import { heartbeatRoute } from './routes/heartbeat.js'
import { indexPage } from './routes/index-page.js'
import { metricsRoute } from './routes/metrics.js'
import { modelRoutes } from './routes/models.js'
import { openApiDocument } from './routes/openapi.js'
import { executeRoutes } from './routes/query-execute.js'
import { planRoutes } from './routes/query-plan.js'
import { rowsRoutes } from './routes/query-rows.js'
import { sqlRoutes } from './routes/query-sql.js'
import { referenceRoutes } from './routes/reference.js'
import { semanticQlRoutes } from './routes/semantic-ql.js'
import { healthRoute, readyRoute, robotsRoute, settingsRoute } from './routes/service.js'
import { sessionRoutes } from './routes/sessions.js'
import { validateRoutes } from './routes/validate.js'
import { valueRoutes } from './routes/values.js'
import { verifyRoutes } from './routes/verify.js'

export function restSurface(version: string): HttpSurface {
  const mount = (app: FastifyInstance, context: SurfaceContext) => app.register(surface, { ...context, version })
  return {
    name: 'rest',
    kind: 'http',
    open: OPEN,
    anyHost: PROBES,
    administration: ADMINISTRATION,
    operation: OPERATION,
    routes: async (app, context) => void (await mount(app, context)),
  }
}

/** These need no key; the heartbeat has its own token. */
const OPEN = [
  'GET /',
  'GET /health',
  'GET /ready',
  'GET /robots.txt',
  'GET /docs',
  'GET /docs/*',
  'GET /redoc',
  'GET /openapi.json',
  'POST /v1/heartbeat',
]
const PROBES = ['GET /health', 'GET /ready', 'GET /robots.txt']
const ADMINISTRATION = [
  'POST /v1/cache/clear',
  'POST /v1/cache/sweep',
  'POST /v1/verify',
  'POST /v1/sessions/:session_id/models/:model_id/verify',
  'POST /v1/verify/tables',
  'POST /v1/sessions/:session_id/models/:model_id/verify/tables',
]

/** They count rows and bytes of everybody's answers. */
const OPERATION = ['GET /v1/telemetry/metrics', 'GET /v1/cache/stats']

/** Everything below is encapsulated: the application around it keeps its own validator, error handler, parsers and hooks. */
async function surface(app: FastifyInstance, context: RestContext): Promise<void> {
  validateStrictly(app)
  answerErrors(app, readShape)
  limitBodies(app)
  readJsonBodies(app)
  await openApiDocument(app, context)
  docsPages(app, context)
  indexPage(app, context)
  healthRoute(app, context)
  readyRoute(app, context)
  robotsRoute(app)
  await app.register(async (v1) => versioned(v1, context), { prefix: '/v1' })
}

async function versioned(app: FastifyInstance, context: RestContext): Promise<void> {
  traceRequests(app)
  await metricsRoute(app, context)
  foldRequests(app)
  // Every path below /v1 belongs to this surface, even inside another application. Requests without a valid key are refused first.
  app.setNotFoundHandler(unknownRoute)
  heartbeatRoute(app, context)
  for (const routes of groups) await routes(app, context)
}

const unknownRoute = async (): Promise<never> => {
  throw new GrainlineError('NOT_FOUND', 'There is no such route')
}

const groups = [
  sessionRoutes,
  modelRoutes,
  validateRoutes,
  convertRoutes,
  verifyRoutes,
  sqlRoutes,
  planRoutes,
  semanticQlRoutes,
  executeRoutes,
  rowsRoutes,
  discoveryRoutes,
  exampleRoutes,
  testRoutes,
  findRoutes,
  composableRoutes,
  lineageRoutes,
  joinGraphRoutes,
  diagramRoutes,
  diffRoutes,
  valueRoutes,
  dialectRoutes,
  referenceRoutes,
  settingsRoute,
  cacheRoutes,
  batchRoutes,
]

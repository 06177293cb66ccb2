import type { HttpSurface, SurfaceContext } from '@grainline/core'
import type { FastifyInstance } from 'fastify'
import type { RestContext } from './context.js'
import { requireKey } from './http/authentication.js'
import { announceDeprecations } from './http/deprecation.js'
import { readJsonBodies } from './http/json-body.js'
import { answerUnknownRoutes, type RouteTable, recordRoutes } from './http/not-found.js'
import { answerErrors } from './http/problem.js'
import { sendRequestIds } from './http/request-id.js'
import { foldRequests } from './http/snake-case.js'
import { traceRequests } from './http/trace.js'
import { validateStrictly } from './http/validation.js'
import { batchRoutes } from './routes/batch.js'
import { cacheRoutes } from './routes/cache.js'
import { composableRoutes } from './routes/composables.js'
import { diagramRoutes } from './routes/diagram.js'
import { dialectRoutes } from './routes/dialects.js'
import { discoveryRoutes } from './routes/discovery.js'
import { docsPages } from './routes/docs.js'
import { exampleRoutes } from './routes/examples.js'
import { findRoutes } from './routes/find.js'
import { healthRoute } from './routes/health.js'
import { heartbeatRoute } from './routes/heartbeat.js'
import { joinGraphRoutes } from './routes/join-graph.js'
import { lineageRoutes } from './routes/lineage.js'
import { metricsRoute } from './routes/metrics.js'
import { modelRoutes } from './routes/models.js'
import { openApiDocument } from './routes/openapi.js'
import { executeRoutes } from './routes/query-execute.js'
import { planRoutes } from './routes/query-plan.js'
import { sqlRoutes } from './routes/query-sql.js'
import { referenceRoutes } from './routes/reference.js'
import { robotsRoute } from './routes/robots.js'
import { semanticQlRoutes } from './routes/semantic-ql.js'
import { sessionRoutes } from './routes/sessions.js'
import { settingsRoute } from './routes/settings.js'
import { validateRoutes } from './routes/validate.js'
import { valueRoutes } from './routes/values.js'
import { verifyRoutes } from './routes/verify.js'

export function restSurface(version: string): HttpSurface {
  const mount = (app: FastifyInstance, context: SurfaceContext) => app.register(surface, { ...context, version })
  return { name: 'rest', kind: 'http', routes: async (app, context) => void (await mount(app, context)) }
}

/** Everything below is encapsulated: an application around it keeps its own validator, error handler, parsers and hooks. */
async function surface(app: FastifyInstance, context: RestContext): Promise<void> {
  const table: RouteTable = []
  validateStrictly(app)
  answerErrors(app)
  sendRequestIds(app)
  announceDeprecations(app)
  readJsonBodies(app)
  recordRoutes(app, table)
  await openApiDocument(app, context)
  docsPages(app, context)
  healthRoute(app, context)
  robotsRoute(app)
  // Inside an application without a prefix, what is unknown to us may well be the application's.
  if (context.standalone || app.prefix !== '') answerUnknownRoutes(app, table)
  await app.register(async (v1) => withoutKey(v1, context), { prefix: '/v1' })
  await app.register(async (v1) => versioned(v1, context, table), { prefix: '/v1' })
}

/** What has a credential of its own. */
async function withoutKey(app: FastifyInstance, context: RestContext): Promise<void> {
  foldRequests(app)
  heartbeatRoute(app, context)
}

async function versioned(app: FastifyInstance, context: RestContext, table: RouteTable): Promise<void> {
  traceRequests(app)
  requireKey(app, context)
  await metricsRoute(app, context)
  foldRequests(app)
  answerUnknownRoutes(app, table)
  for (const routes of groups) await routes(app, context)
}

const groups = [
  sessionRoutes,
  modelRoutes,
  validateRoutes,
  verifyRoutes,
  sqlRoutes,
  planRoutes,
  semanticQlRoutes,
  executeRoutes,
  discoveryRoutes,
  exampleRoutes,
  findRoutes,
  composableRoutes,
  lineageRoutes,
  joinGraphRoutes,
  diagramRoutes,
  valueRoutes,
  dialectRoutes,
  referenceRoutes,
  settingsRoute,
  cacheRoutes,
  batchRoutes,
]

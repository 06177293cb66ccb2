import { Type } from '@grainline/core'
import { topic } from '@grainline/core/surface'
import type { FastifyInstance } from 'fastify'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { RestContext } from '../context.js'
import { problems } from '../schemas/common.js'

const METRICS = topic<null, MetricObjectWithValues<MetricValue<string>>[]>('rest.metrics')

const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60]

/** Metrics for Prometheus: requests by route, queries by outcome, held data, and the process. */
export async function metricsRoute(app: FastifyInstance, { service, settings, workers }: RestContext): Promise<void> {
  if (!settings.METRICS_ENABLED) return
  const { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })

  const requests = new Histogram({
    name: 'grainline_http_request_seconds',
    help: 'Time to answer a request, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  })
  const questions = new Histogram({
    name: 'grainline_question_seconds',
    help: 'Time from a question to its last row; outcome is ok or the code of the refusal.',
    labelNames: ['verb', 'surface', 'outcome'],
    buckets: SECONDS,
    registers,
  })
  const rows = new Counter({ name: 'grainline_rows_total', help: 'Rows answered.', labelNames: ['surface'], registers })
  const rollups = new Counter({
    name: 'grainline_rollup_questions_total',
    help: 'Questions to models with rollups: read (every number comes from a rollup table), partly, or the first reason why none does.',
    labelNames: ['outcome'],
    registers,
  })
  new Gauge({
    name: 'grainline_held',
    help: 'Sessions and models that are held.',
    labelNames: ['what'],
    registers,
    // Each worker reports the total of all workers.
    aggregator: 'max',
    async collect() {
      for (const [what, count] of Object.entries(await service.counts())) this.set({ what }, count)
    },
  })

  app.addHook('onResponse', async (request, reply) => {
    // The label is the route, not the path: clients must not be able to create new series.
    const route = request.routeOptions.url ?? 'unknown'
    requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  const stop = service.observe(({ verb, asker, outcome, milliseconds, rows: count = 0, rollups: read }) => {
    const surface = asker?.surface ?? 'unknown'
    questions.observe({ verb, surface, outcome }, milliseconds / 1000)
    rows.inc({ surface }, count)
    if (verb === 'execute' && read !== undefined) rollups.inc({ outcome: read })
  })
  app.addHook('onClose', async () => {
    stop()
    register.clear()
  })

  const schema = {
    summary: 'Metrics for Prometheus',
    tags: ['service'],
    response: { 200: { description: 'OK', content: { 'text/plain': { schema: Type.String() } } }, ...problems },
  }
  workers?.answer(METRICS, () => register.getMetricsAsJSON())
  /** The metrics of all workers together, because any worker may answer. */
  const metrics = async () => {
    if (workers === undefined) return register.metrics()
    const all = await Promise.all([register.getMetricsAsJSON(), ...(await workers.askOthers(METRICS, null))])
    return AggregatorRegistry.aggregate(all).metrics()
  }
  app.get('/telemetry/metrics', { schema }, async (_request, reply) => reply.type(register.contentType).send(await metrics()))
}

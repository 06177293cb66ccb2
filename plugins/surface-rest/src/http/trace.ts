import { isTraced } from '@grainline/core/surface'
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request, if traces are recorded. */
    span: Span | undefined
  }
}

/** Records a span for each request, within the trace of `traceparent`. Its name is the route, because a path may contain names and keys. */
export function traceRequests(app: FastifyInstance): void {
  const tracer = trace.getTracer('grainline')
  app.decorateRequest('span', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isTraced()) return done()
    const { url = 'unknown route' } = request.routeOptions
    const caller = propagation.extract(context.active(), request.headers)
    const attributes = { 'http.request.method': request.method, 'http.route': url }
    const span = tracer.startSpan(`${request.method} ${url}`, { kind: SpanKind.SERVER, attributes }, caller)
    if (span.isRecording()) request.span = span
    done()
  })
  // An earlier hook would not do: reading the body loses the asynchronous context.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.span === undefined) done()
    else context.with(trace.setSpan(context.active(), request.span), done)
  })
  app.addHook('onResponse', ({ span }, reply, done) => {
    if (span === undefined) return done()
    span.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
    done()
  })
}

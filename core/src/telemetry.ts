/** Spans of OpenTelemetry around slow work. Without a registered provider there are none. */

import { type Attributes, ProxyTracerProvider, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import { codeOf } from './invariant.js'

/** Looked up for each span: a tracer from before the provider was registered stays without one, if the SDK has its own copy of the API. */
const tracer = () => trace.getTracer('grainline')

/** The no-op tracer that every provider returns until another one is registered. */
const NOWHERE = new ProxyTracerProvider().getDelegate()

/** Whether spans are recorded. Even a span that is not recorded takes time. */
export function isTraced(): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== NOWHERE
}

/** Runs `work` inside a span of this name; a promise is awaited. */
export function traced<T>(name: string, attributes: Attributes, work: () => T): T {
  if (!isTraced()) return work()
  return tracer().startActiveSpan(name, { attributes }, (span) => {
    try {
      const result = work()
      if (!(result instanceof Promise)) return ended(span, result)
      return result.then(
        (value) => ended(span, value),
        (error) => failed(span, error),
      ) as T
    } catch (error) {
      return failed(span, error)
    }
  })
}

/** The items of `source`, in a span from now until they end, early or late. */
export function tracedStream<T>(name: string, attributes: Attributes, source: AsyncIterable<T>): AsyncIterable<T> {
  return isTraced() ? inSpan(tracer().startSpan(name, { attributes }), source) : source
}

async function* inSpan<T>(span: Span, source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source
  } catch (error) {
    markFailed(span, error)
    throw error
  } finally {
    span.end()
  }
}

function ended<T>(span: Span, value: T): T {
  span.end()
  return value
}

function failed(span: Span, error: unknown): never {
  markFailed(span, error)
  span.end()
  throw error
}

/** The code of an error is enough; messages of databases may contain data. */
function markFailed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: codeOf(error) ?? 'INTERNAL_ERROR' })
}

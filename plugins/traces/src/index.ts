/** Sends the spans of the core and of surfaces to an OpenTelemetry collector. An application that has its own SDK does not need this. */
import { definePlugin, list, text } from '@grainline/core'

export default definePlugin({
  name: '@grainline/traces',
  host: '>=0.1.0 <1.0.0',
  settings: {
    OTEL_EXPORTER_OTLP_ENDPOINT: text({
      default: 'http://localhost:4318',
      rule: 'an http or https URL',
      fits: (given) => URL.canParse(given) && /^https?:$/.test(new URL(given).protocol),
      means: 'Address of the OpenTelemetry collector (OTLP over HTTP).',
    }),
    OTEL_EXPORTER_OTLP_HEADERS: list({ secret: true, means: 'Headers for the collector: name=value, separated by commas.' }),
    OTEL_SERVICE_NAME: text({ default: 'grainline', means: 'Name of this service in traces.' }),
  },
  async setup(host) {
    const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME } = host.settings
    const [{ OTLPTraceExporter }, { resourceFromAttributes }, { BatchSpanProcessor, NodeTracerProvider }] = await Promise.all([
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace-node'),
    ])
    const exporter = new OTLPTraceExporter({
      url: `${OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/$/, '')}/v1/traces`,
      headers: headersOf(OTEL_EXPORTER_OTLP_HEADERS),
    })
    const provider = new NodeTracerProvider({
      resource: resourceFromAttributes({ 'service.name': OTEL_SERVICE_NAME, 'service.version': host.version }),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    })
    provider.register()
    // Sends what is left.
    host.onClose(() => provider.shutdown())
  },
})

function headersOf(entries: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    entries.map((entry) => {
      const [name = '', ...value] = entry.split('=')
      return [name.trim(), decodeURIComponent(value.join('=').trim())]
    }),
  )
}

import { createHost, readConfig } from '@grainline/core'
import t from 'tap'
import { holds } from '../specification/holds.js'
import { collector } from './collector.js'
import { shopModel, shopQuery } from './shop.js'

t.test('TRACES_ENABLED sends the spans of the shipped configuration to its collector; without it nothing is sent', async (t) => {
  holds(t, 'setting.TRACES_ENABLED')
  const file = new URL('../../config/default.yaml', import.meta.url).pathname
  for (const [enabled, sent] of [
    ['false', []],
    ['true', ['compile']],
  ] as const) {
    const collected = await collector()
    t.teardown(collected.close)
    const variables: Record<string, string> = {
      TRACES_ENABLED: enabled,
      OTEL_EXPORTER_OTLP_ENDPOINT: collected.url,
      MODEL_SQL: 'allow',
      PORT: '0',
    }
    const config = await readConfig(file, (name) => variables[name])
    const host = await createHost(config, { environment: { process: variables, dotenv: {} } })
    t.teardown(() => host.close())
    await host.start()
    const { session_id } = await host.service.createSession({ metadata: {}, client: 'a', by: undefined })
    await host.service.loadModel(session_id, { asker: undefined, model_json: { ...shopModel, examples: [] } })
    await host.service.compile({ asker: undefined, target: { sessionId: session_id }, query: shopQuery })
    await host.close()
    t.same(
      collected.spans.map(({ name }) => name),
      sent,
      enabled,
    )
  }
})

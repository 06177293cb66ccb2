/** The work of a server after it listens and before its first query. */
import { createHost } from '@grainline/core'
import duckdb from '@grainline/dialect-duckdb'
import t from 'tap'
import { MODEL } from '../../core/src/service/warm-up.js'
import { mostOfATurn, watchTurns } from '../longest-turn.js'

const environment = { process: {}, dotenv: {} }

t.test('the warm-up delays no request and leaves no state', async (t) => {
  const host = await createHost({ plugins: [duckdb] }, { environment })
  t.teardown(() => host.close())
  const longest = watchTurns()
  await host.service.warmUp()
  const [turn, most] = [longest(), mostOfATurn()]
  t.ok(turn <= most, `the event loop was held for ${Math.round(turn)} ms of at most ${Math.round(most)}`)
  t.same(await host.service.counts(), { sessions: 0, models: 0, publishedModels: 0 })
})

t.test('the examples of the warm-up compile, because an error would warm nothing', async (t) => {
  const host = await createHost({ plugins: [duckdb] }, { environment })
  t.teardown(() => host.close())
  t.same(await host.service.validate({ model_yaml: MODEL }), { valid: true, errors: [], warnings: [] })
})

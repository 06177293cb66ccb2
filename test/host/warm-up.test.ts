/** The work of a server after it listens and before its first query. */
import { createHost } from '@grainline/core'
import duckdb from '@grainline/dialect-duckdb'
import t from 'tap'
import { MODEL } from '../../core/src/service/warm-up.js'
import { bestAttempt, keepsTurns, watchTurns } from '../longest-turn.js'

const environment = { process: {}, dotenv: {} }

t.test('the warm-up delays no request and leaves no state', async (t) => {
  const best = await bestAttempt(async () => {
    const host = await createHost({ plugins: [duckdb] }, { environment })
    t.teardown(() => host.close())
    const longest = watchTurns()
    await host.service.warmUp()
    const turn = longest()
    t.same(await host.service.counts(), { sessions: 0, models: 0, publishedModels: 0 })
    return { result: undefined, turn }
  })
  keepsTurns(t, best)
})

t.test('the examples of the warm-up compile, because an error would warm nothing', async (t) => {
  const host = await createHost({ plugins: [duckdb] }, { environment })
  t.teardown(() => host.close())
  t.same(await host.service.validate({ asker: undefined, model_yaml: MODEL }), { valid: true, errors: [], warnings: [] })
})

import t from 'tap'
import { runBatch } from './batch.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { kindsNamed, laterKinds } from './generate/later.js'
t.test('x', async (t) => {
  const engine = await openEngine()
  t.teardown(engine.close)
  const seed = Number(process.env['ORACLE_SEED'] ?? 1)
  const count = Number(process.env['ORACLE_CASES'] ?? 400)
  for (const later of [laterKinds('validity'), kindsNamed('joins over time')]) {
    const { answered, rows, refusals, failures } = await runBatch(runOn(engine), seed, { from: 0, count, later })
    t.comment(`${answered} answered with ${rows} rows; refused: ${JSON.stringify(refusals)}`)
    t.comment(`FAILURES ${failures.length}`)
    for (const failure of failures.slice(0, 3)) t.fail(failure)
  }
})

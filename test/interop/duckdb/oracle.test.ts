/** Ten thousand questions that mix every kind of metric: they have the answers of the oracle, and every two features meet in some of them. */
import t from 'tap'
import { runBatch } from '../../oracle/batch.js'
import { runOn } from '../../oracle/compiled.js'
import { openEngine } from '../../oracle/duckdb.js'
import { laterKinds } from '../../oracle/generate/later.js'
import { missingPairs, pairCounter } from '../../oracle/pairs.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20260115)
const count = Number(process.env['ORACLE_CASES'] ?? 10_000)
const { counts, see } = pairCounter()
t.setTimeout(120_000 + count * 200)

t.test(`${count} generated questions have the answers of the oracle (ORACLE_SEED=${seed})`, async (t) => {
  const engine = await openEngine()
  t.teardown(engine.close)
  const { answered, rows, refusals, failures } = await runBatch(runOn(engine), seed, {
    from: 0,
    count,
    later: laterKinds('all'),
    seen: see,
  })
  t.comment(`${answered} answered with ${rows} rows; refused: ${JSON.stringify(refusals)}`)
  for (const failure of failures) t.fail(failure)
  t.ok(failures.length > 0 || answered > count * 0.7, 'most questions have an answer')
})

t.test('every two features that can meet have met in an answered question', async (t) => {
  t.same(missingPairs(counts, laterKinds('all')), [])
})

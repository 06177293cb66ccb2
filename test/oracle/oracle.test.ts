/** What the compiler says through DuckDB is what the definitions say: ORACLE_SEED and ORACLE_CASES choose others. `test/interop/duckdb` asks more. */
import t from 'tap'
import { runBatch } from './batch.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { laterKinds } from './generate/later.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20260115)
const count = Number(process.env['ORACLE_CASES'] ?? 1000)

for (const kinds of ['the straight language', 'every kind of metric']) {
  t.test(`${count} generated questions of ${kinds} have the answers of the oracle (ORACLE_SEED=${seed})`, async (t) => {
    const engine = await openEngine()
    t.teardown(engine.close)
    const later = laterKinds(kinds === 'the straight language' ? '' : 'all')
    const { answered, rows, refusals, failures } = await runBatch(runOn(engine), seed, { from: 0, count, later })
    t.comment(`${answered} answered with ${rows} rows; refused: ${JSON.stringify(refusals)}`)
    for (const failure of failures) t.fail(failure)
    t.ok(failures.length > 0 || answered > count * 0.7, 'most questions have an answer')
  })
}

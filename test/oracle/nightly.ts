/** 100,000 cases in batches, each with its own engine: `tsx test/oracle/nightly.ts`; ORACLE_SEED and ORACLE_CASES choose others. */
import { runBatch } from './batch.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { laterKinds } from './generate/later.js'

const BATCH = 5000
const seed = Number(process.env['ORACLE_SEED'] ?? Math.floor(Date.now() / 86_400_000))
// Every kind of metric, unless ORACLE_LATER says which.
const later = laterKinds(process.env['ORACLE_LATER'] ?? 'all')
const count = Number(process.env['ORACLE_CASES'] ?? 100_000)

let failed = false
for (let from = 0; from < count && !failed; from += BATCH) {
  const engine = await openEngine()
  const started = Date.now()
  const result = await runBatch(runOn(engine), seed, { from, count: Math.min(BATCH, count - from), later })
  engine.close()
  failed = result.failures.length > 0
  const rate = Math.round((result.cases / (Date.now() - started)) * 1000)
  console.log(
    `seed ${seed}, cases ${from} to ${from + result.cases - 1}: ${result.answered} answered, ${result.rows} rows, ${rate} cases/s`,
  )
  for (const failure of result.failures) console.error(failure)
}
process.exitCode = failed ? 1 : 0

/** What the compiler says through PostgreSQL is what the definitions say: ORACLE_SEED and ORACLE_CASES choose others. */
import t from 'tap'
import { runBatch } from '../../oracle/batch.js'
import { laterKinds } from '../../oracle/generate/later.js'
import { openPostgres } from './open.js'
import { runOracleOn } from './oracle.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20260115)
const count = Number(process.env['ORACLE_CASES'] ?? 500)

// Some sixty questions a second, and room for a slow machine.
t.setTimeout(60_000 + count * 200)
const engine = await openPostgres()
if (typeof engine === 'string') t.plan(0, engine)
else {
  t.teardown(engine.close)
  for (const kinds of ['the straight language', 'every kind of metric']) {
    t.test(
      `${count} generated questions of ${kinds} have the answers of the oracle on PostgreSQL (ORACLE_SEED=${seed})`,
      async (t) => {
        const later = laterKinds(kinds === 'the straight language' ? '' : 'all')
        const { answered, rows, refusals, failures } = await runBatch(runOracleOn(engine.client), seed, { from: 0, count, later })
        t.comment(`${answered} answered with ${rows} rows; refused: ${JSON.stringify(refusals)}`)
        for (const failure of failures) t.fail(failure)
        t.ok(failures.length > 0 || answered > count * 0.7, 'most questions have an answer')
      },
    )
  }
}

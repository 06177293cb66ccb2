/**
 * The cases of the given numbers, made small, with SQL and both answers:
 * `node --conditions=@grainline/source --import tsx test/oracle/show.ts N…`. ORACLE_SEED and ORACLE_LATER as for `triage.ts`.
 */
import { smallReport } from './batch.js'
import { compareCase } from './compare.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { generateCase } from './generate/case.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20260115)
const engine = await openEngine()
const run = runOn(engine)
for (const index of process.argv.slice(2).map(Number)) {
  const { expected, ...one } = generateCase(seed, index)
  const mismatch = await compareCase(one, run, expected)
  console.log(mismatch ? await smallReport(`ORACLE_SEED=${seed} case ${index}`, one, mismatch, run) : `case ${index} agrees`)
}
engine.close()

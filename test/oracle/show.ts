/**
 * The cases of the given numbers, made small, with SQL and both answers:
 * `node --conditions=@grainline/source --import tsx test/oracle/show.ts N…`. ORACLE_SEED, ORACLE_LATER and ORACLE_POLICIES as for `triage.ts`.
 */
import { smallReport } from './batch.js'
import { compareCase } from './compare.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { laterKinds } from './generate/later.js'
import { askedCases } from './under-policies.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20260115)
const engine = await openEngine()
const { asks, generate } = askedCases()
const run = runOn(engine, undefined, asks)
for (const index of process.argv.slice(2).map(Number)) {
  const { expected, ...one } = generate(seed, index, laterKinds())
  const mismatch = await compareCase(one, run, expected)
  console.log(
    mismatch ? await smallReport(`ORACLE_SEED=${seed} case ${index}`, one, mismatch, run, asks) : `case ${index} agrees`,
  )
}
engine.close()

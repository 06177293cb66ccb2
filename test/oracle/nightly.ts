/**
 * Half a million cases in batches, each with its own engine: `tsx test/oracle/nightly.ts`. ORACLE_SEED, ORACLE_CASES and ORACLE_LATER choose others.
 * Every batch is a line of ORACLE_LOG (JSON: revision, seed, kinds, from, to, equal, refused, faulty, seconds, rate, faults); a run that was broken off goes on behind
 * the last line of its seed and kinds. ORACLE_FROM is for several runs of one seed side by side, each to its own ORACLE_CASES, in one log.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { type BatchResult, runBatch } from './batch.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { laterKinds } from './generate/later.js'

const BATCH = 1000
const seed = Number(process.env['ORACLE_SEED'] ?? Math.floor(Date.now() / 86_400_000))
// Every kind, unless ORACLE_LATER says which.
const later = laterKinds(process.env['ORACLE_LATER'] ?? 'all')
const first = Number(process.env['ORACLE_FROM'] ?? 0)
const end = Number(process.env['ORACLE_CASES'] ?? 500_000)
const log = process.env['ORACLE_LOG'] ?? 'oracle-nightly.log'
const kinds = later.join()
const revision = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim()

interface Line {
  readonly seed: number
  readonly kinds: string
  readonly from: number
  readonly to: number
  readonly faults: readonly string[]
}

const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : []
const done = lines
  .map((line) => JSON.parse(line) as Line)
  .filter((line) => line.seed === seed && line.kinds === kinds && line.from >= first && line.from < end)

let faults = done.flatMap((line) => line.faults)
for (let from = Math.max(first, ...done.map((line) => line.to + 1)); from < end; from += BATCH) {
  const engine = await openEngine()
  const started = Date.now()
  const result = await runBatch(runOn(engine), seed, { from, count: Math.min(BATCH, end - from), later, toTheEnd: true })
  engine.close()
  faults = [...faults, ...result.failures]
  for (const failure of result.failures) console.error(failure)
  const line = lineOf(from, result, (Date.now() - started) / 1000)
  appendFileSync(log, `${JSON.stringify(line)}\n`)
  console.log(
    `seed ${seed}, cases ${from} to ${line.to}: ${line.equal} equal, ${line.refused} refused, ${result.rows} rows, ${line.rate} cases/s`,
  )
}
if (faults.length > 0) console.error(`${faults.length} faults, in ${log}`)
process.exitCode = faults.length > 0 ? 1 : 0

function lineOf(from: number, { cases, answered, faulty, failures }: BatchResult, seconds: number) {
  const refused = cases - answered
  return {
    ...{ revision, seed, kinds, from, to: from + cases - 1, equal: cases - faulty.length, refused, faulty },
    ...{ seconds, rate: Math.round(cases / seconds), faults: failures },
  }
}

/**
 * Half a million cases in batches, each with its own engine: `node scripts/long-run.mjs`. ORACLE_SEED, ORACLE_CASES and ORACLE_LATER choose others,
 * ORACLE_ENGINE another engine than DuckDB. Every batch is a line of ORACLE_LOG (JSON: revision, engine, seed, kinds, from, to, equal, unsaid, refused, faulty,
 * seconds, rate, faults; `unsaid` are those that the engine cannot say); a run that was broken off continues after the last line of its engine, seed and kinds. ORACLE_FROM is for several runs of one seed side by side, each to its own ORACLE_CASES, in one log.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { openEngineNamed } from '../interop/oracle-engines.js'
import { heldBy, oracleRun } from '../interop/suites.js'
import { type BatchResult, runBatch } from './batch.js'
import type { Run } from './compare.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { type Later, laterKinds } from './generate/later.js'

const BATCH = 1000
const seed = Number(process.env['ORACLE_SEED'] ?? Math.floor(Date.now() / 86_400_000))
// Every kind, unless ORACLE_LATER selects some.
const later = laterKinds(process.env['ORACLE_LATER'] ?? 'all')
const first = Number(process.env['ORACLE_FROM'] ?? 0)
const end = Number(process.env['ORACLE_CASES'] ?? 500_000)
const log = process.env['ORACLE_LOG'] ?? 'oracle-nightly.log'
const engine = process.env['ORACLE_ENGINE'] ?? 'duckdb'
const kinds = later.join()
const revision = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim()

interface Line {
  /** Absent in older lines, which are DuckDB's. */
  readonly engine?: string
  readonly seed: number
  readonly kinds: string
  readonly from: number
  readonly to: number
  readonly faults: readonly string[]
}

const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : []
const done = lines
  .map((line) => JSON.parse(line) as Line)
  .filter(
    (line) =>
      (line.engine ?? 'duckdb') === engine && line.seed === seed && line.kinds === kinds && line.from >= first && line.from < end,
  )

let faults = done.flatMap((line) => line.faults)
for (let from = Math.max(first, ...done.map((line) => line.to + 1)); from < end; from += BATCH) {
  const opened = await openBatch()
  const started = Date.now()
  const count = Math.min(BATCH, end - from)
  const result = await runBatch(opened.run, seed, { from, count, later: opened.later, toTheEnd: true })
  await opened.close()
  faults = [...faults, ...result.failures]
  for (const failure of result.failures) console.error(failure)
  const line = lineOf(from, result, opened.unsaid(), (Date.now() - started) / 1000)
  appendFileSync(log, `${JSON.stringify(line)}\n`)
  console.log(
    `${engine}, seed ${seed}, cases ${from} to ${line.to}: ${line.equal} equal, ${line.refused} refused, ${result.rows} rows, ${line.rate} cases/s`,
  )
}
if (faults.length > 0) console.error(`${faults.length} faults, in ${log}`)
process.exitCode = faults.length > 0 ? 1 : 0

interface Opened {
  readonly run: Run
  readonly later: readonly Later[]
  readonly unsaid: () => number
  readonly close: () => unknown
}

async function openBatch(): Promise<Opened> {
  if (engine === 'duckdb') {
    const opened = await openEngine()
    return { run: runOn(opened), later, unsaid: () => 0, close: opened.close }
  }
  const opened = await openEngineNamed(engine)
  return { ...oracleRun(opened), later: heldBy(opened, later), close: opened.close }
}

function lineOf(from: number, { cases, answered, faulty, failures }: BatchResult, unsaid: number, seconds: number) {
  const refused = cases - answered
  return {
    ...{
      revision,
      engine,
      seed,
      kinds,
      from,
      to: from + cases - 1,
      equal: cases - faulty.length - unsaid,
      unsaid,
      refused,
      faulty,
    },
    ...{ seconds, rate: Math.round(cases / seconds), faults: failures },
  }
}

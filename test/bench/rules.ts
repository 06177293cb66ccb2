/**
 * What each rule for speed gains: the statement with all rules beside the one without it, over the questions of TPC-H, TPC-DS and the analysts, in turns on
 * one DuckDB. A rule that gains nothing anywhere is removed.
 */
import { readFileSync } from 'node:fs'
import type { DuckDBConnection } from '@duckdb/node-api'
import { RULES } from '../../core/src/compile.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { openBenchmark } from '../interop/tpcds/benchmark.js'
import { ask, openParquet } from '../support/answers.js'
import { compileWithout, loadText } from '../support/compile.js'
import { questions as dsQuestions, tpcds } from '../tpcds/questions.js'
import { filledIn, questions as hQuestions, tpch } from '../tpch/questions.js'
import { contested, type Outcome, processorClock } from './hand-written/contest.js'
import { analysts, FLIGHTS, FLIGHTS_TABLES, flights } from './hand-written/duckdb.js'
import { type Measurement, percentile } from './measurement.js'

/** No rule may be slower in the median. */
const MEDIAN = 1.05

/** If an extension is missing, the reason is printed and its queries are left out. */
export async function rulesBench(): Promise<readonly Measurement[]> {
  const outcomes: Outcome[] = []
  for await (const outcome of asked()) outcomes.push(outcome)
  return RULES.flatMap((rule) => {
    const own = outcomes.filter(({ name }) => name.startsWith(`${rule} `)).toSorted((a, b) => a.ratio - b.ratio)
    const [best, worst] = [own.at(0), own.at(-1)]
    if (!best || !worst) return []
    const times = own.reduce(
      (sum, { ourTime, theirTime }) => ({ ours: sum.ours + ourTime, theirs: sum.theirs + theirTime }),
      NONE,
    )
    const of = ({ name, ratio }: Outcome): string => `${ratio.toFixed(2)} (${name.slice(rule.length + 1)})`
    return {
      name: `\`${rule}\` on DuckDB, beside statements without it (median)`,
      value: percentile(
        own.map(({ ratio }) => ratio),
        0.5,
      ),
      unit: '×',
      target: MEDIAN,
      better: 'less' as const,
      note: `${own.length} questions, all ${(times.ours / times.theirs).toFixed(2)}, least ${of(best)}, most ${of(worst)}`,
    }
  })
}

const NONE = { ours: 0, theirs: 0 }

/** A double with declared digits, whose text DuckDB reads twice: no question of the benchmarks has one. */
const digits = () =>
  loadText(
    readFileSync(`${FLIGHTS}model.yaml`, 'utf8').replace(
      /^metrics:$/m,
      "metrics:\n  Late Minutes: { expression: '{[Average Departure Delay]} * {[Late Rate]}', dataType: 'decimal(18, 2)' }",
    ),
  )
const LATE_MINUTES = { select: { dimensions: ['Origin Airport', 'Destination Airport', 'Date'], measures: ['Late Minutes'] } }

async function* asked(): AsyncIterable<Outcome> {
  const parquet = await openParquet({})
  await parquet.run('SET threads = 1')
  for (const table of FLIGHTS_TABLES)
    await parquet.run(`CREATE TABLE ${table} AS FROM read_parquet('${FLIGHTS}data/${table}.parquet')`)
  for (const { name, query } of analysts) yield* besideEach(`analyst: ${name}`, query, flights, parquet)
  yield* besideEach('declared digits', LATE_MINUTES, digits(), parquet)
  parquet.closeSync()
  const benchmark = await openBenchmark(0.1)
  if (typeof benchmark === 'string') return console.error(benchmark)
  const { connection } = benchmark
  await connection.run('SET threads = 1')
  for (const { name, query } of dsQuestions) yield* besideEach(`TPC-DS ${name}`, query, tpcds, connection)
  if (await benchmark.tpch(0.1))
    for (const question of hQuestions) {
      const query = await filledIn(question, (one) => ask(connection, compileWithout(one, tpch, []).sql))
      yield* besideEach(`TPC-H ${question.name}`, query, tpch, connection)
    }
  benchmark.close()
}

/** The statement of a question beside those without each rule that changes it. */
async function* besideEach(
  name: string,
  query: unknown,
  model: SemanticModel,
  connection: DuckDBConnection,
): AsyncIterable<Outcome> {
  const ours = compileWithout(query, model, []).sql
  for (const rule of RULES) {
    const theirs = compileWithout(query, model, [rule]).sql
    if (theirs !== ours)
      yield contested({ name: `${rule} ${name}`, ours, theirs }, (sql) => connection.runAndReadAll(sql), processorClock)
  }
}

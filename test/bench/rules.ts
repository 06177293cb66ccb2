/**
 * What each rule for speed gains: the statement with all rules beside the one without it, over the questions of TPC-H, TPC-DS, the analysts and a ledger, in turns on
 * one DuckDB; those of the ledger on PostgreSQL, too. A rule that gains nothing anywhere is removed.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { DuckDBInstance } from '@duckdb/node-api'
import { duckdb } from '@grainline/dialect-duckdb'
import { postgres } from '@grainline/dialect-postgres'
import { RULES } from '../../core/src/compile.js'
import { openPostgres } from '../interop/postgres/open.js'
import { openBenchmark } from '../interop/tpcds/benchmark.js'
import { ask, openParquet } from '../support/answers.js'
import { compileFor } from '../support/compile.js'
import { questions as dsQuestions, tpcds } from '../tpcds/questions.js'
import { filledIn, questions as hQuestions, tpch } from '../tpch/questions.js'
import { contested, type Outcome, processorClock, wallClock } from './hand-written/contest.js'
import { analysts, FLIGHTS, FLIGHTS_TABLES, flights } from './hand-written/duckdb.js'
import { type Measurement, percentile } from './measurement.js'
import { processorMs } from './processor-time.js'
import { ledgerQuestions, ledgerRollup, ledgerTables, pairsOf, type RuleQuestion } from './rules/questions.js'

/** No rule may be slower in the median. */
const MEDIAN = 1.05
/** The questions that are asked of each rule and engine, the first ones. */
const MOST_QUESTIONS = 8
const POSTINGS = { duckdb: 1_000_000, postgres: 200_000 }

interface Measured extends Outcome {
  readonly rule: string
  readonly engine: string
}

/** If an extension or a server is missing, the reason is printed and its questions are left out. */
export async function rulesBench(): Promise<readonly Measurement[]> {
  const outcomes: Measured[] = []
  // The table comes at the end, after minutes.
  const note = (one: Measured): void => {
    outcomes.push(one)
    console.error(`${one.rule} on ${one.engine}: ${one.ratio.toFixed(2)} (${one.name})`)
  }
  for await (const outcome of onPostgres()) note(outcome)
  for await (const outcome of onDuckdb()) note(outcome)
  return ['DuckDB', 'PostgreSQL'].flatMap((engine) => RULES.flatMap((rule) => measurementsOf(rule, engine, outcomes)))
}

function measurementsOf(rule: string, engine: string, outcomes: readonly Measured[]): readonly Measurement[] {
  const own = outcomes.filter((one) => one.rule === rule && one.engine === engine).toSorted((a, b) => a.ratio - b.ratio)
  const [best, worst] = [own.at(0), own.at(-1)]
  if (!best || !worst) return []
  const [ours, theirs] = [sum(own.map(({ ourTime }) => ourTime)), sum(own.map(({ theirTime }) => theirTime))]
  const ratios = own.map(({ ratio }) => ratio)
  const of = ({ name, ratio }: Outcome): string => `${ratio.toFixed(2)} (${name})`
  return [
    {
      name: `\`${rule}\` on ${engine}, beside statements without it (median)`,
      value: percentile(ratios, 0.5),
      unit: '×',
      target: MEDIAN,
      better: 'less',
      note: `${own.length} questions, all ${(ours / theirs).toFixed(2)}, least ${of(best)}, most ${of(worst)}`,
    },
  ]
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)

async function* onDuckdb(): AsyncIterable<Measured> {
  const asked = new Map<string, number>()
  const parquet = await openParquet({})
  await parquet.run('SET threads = 1')
  for (const table of FLIGHTS_TABLES)
    await parquet.run(`CREATE TABLE ${table} AS FROM read_parquet('${FLIGHTS}data/${table}.parquet')`)
  for (const { name, query } of analysts) yield* besideEach({ name: `analyst: ${name}`, query, model: flights }, parquet, asked)
  parquet.closeSync()
  yield* onLedger(asked)
  const benchmark = await openBenchmark(0.1)
  if (typeof benchmark === 'string') return console.error(benchmark)
  const { connection } = benchmark
  await connection.run('SET threads = 1')
  for (const { name, query } of dsQuestions) yield* besideEach({ name: `TPC-DS ${name}`, query, model: tpcds }, connection, asked)
  if (await benchmark.tpch(0.1))
    for (const question of hQuestions) {
      const query = await filledIn(question, (one) => ask(connection, compileFor(one, tpch).sql))
      yield* besideEach({ name: `TPC-H ${question.name}`, query, model: tpch }, connection, asked)
    }
  benchmark.close()
}

async function* onLedger(asked: Map<string, number>): AsyncIterable<Measured> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run('SET threads = 1')
  for (const statement of [...ledgerTables(POSTINGS.duckdb), ledgerRollup(duckdb)]) await connection.run(statement)
  for (const question of ledgerQuestions) yield* besideEach(question, connection, asked)
  connection.closeSync()
}

async function* besideEach(
  question: RuleQuestion,
  connection: DuckDBConnection,
  asked: Map<string, number>,
): AsyncIterable<Measured> {
  for (const { rule, ours, theirs } of pairsOf(question, duckdb)) {
    const before = asked.get(rule) ?? 0
    asked.set(rule, before + 1)
    if (before >= MOST_QUESTIONS) continue
    const contest = { name: question.name, ours, theirs }
    yield { ...(await contested(contest, (sql) => connection.runAndReadAll(sql), processorClock)), rule, engine: 'DuckDB' }
  }
}

async function* onPostgres(): AsyncIterable<Measured> {
  const server = await openPostgres()
  if (typeof server === 'string') return console.error(server)
  const { client } = server
  const run = (text: string) => client.query({ text, rowMode: 'array' })
  for (const statement of [...ledgerTables(POSTINGS.postgres), ledgerRollup(postgres), 'ANALYZE']) await run(statement)
  await run('SET max_parallel_workers_per_gather = 0')
  const pid = Number((await run('SELECT pg_backend_pid()')).rows[0]?.[0])
  const clock = Number.isNaN(processorMs(pid)) ? wallClock : () => processorMs(pid)
  for (const question of ledgerQuestions)
    for (const { rule, ours, theirs } of pairsOf(question, postgres))
      yield { ...(await contested({ name: question.name, ours, theirs }, run, clock)), rule, engine: 'PostgreSQL' }
  await server.close()
}

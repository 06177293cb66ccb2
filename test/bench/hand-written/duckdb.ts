/**
 * The statements for DuckDB compared with those of TPC-H and TPC-DS and with hand-written ones for analysts' queries; answers are compared
 * first.
 */
import { readFileSync } from 'node:fs'
import type { DuckDBConnection } from '@duckdb/node-api'
import { parse } from 'yaml'
import type { SemanticModel } from '../../../core/src/model/semantic-model.js'
import { disagreement } from '../../interop/tpcds/agree.js'
import { answerOf, unlimitedReference } from '../../interop/tpcds/answer.js'
import { openBenchmark } from '../../interop/tpcds/benchmark.js'
import { type Answer, ask, difference, openParquet } from '../../support/answers.js'
import { compileFor, loadText, readModel } from '../../support/compile.js'
import { questions as dsQuestions, tpcds } from '../../tpcds/questions.js'
import { filledIn, questions as hQuestions, project, tpch } from '../../tpch/questions.js'
import { type Contest, contested, type Outcome, processorClock } from './contest.js'

export interface Asked {
  readonly name: string
  readonly query: unknown
  /** The best hand-written SQL, which PostgreSQL parses as well. */
  readonly sql: string
}

const here = (path: string): string => new URL(path, import.meta.url).pathname
export const FLIGHTS = here('../../../examples/flights/')
export const FLIGHTS_TABLES = ['airlines', 'airports', 'flights', 'hours', 'planes', 'weather'] as const

/** Parsed without types: a date remains a text. */
export const analysts = parse(readFileSync(here('analysts.yaml'), 'utf8'), { schema: 'core' }) as readonly Asked[]
export const flights = readModel(`${FLIGHTS}model.yaml`)

/** Further texts for questions of the benchmarks, which lose no row without a partner. */
const whole = parse(readFileSync(here('whole.yaml'), 'utf8'), { schema: 'core' }) as readonly Omit<Asked, 'query'>[]

/** The models of the benchmarks; `declared`: with their foreign keys, which `grainline init` does not declare on DuckDB. */
const modelsOf = (declared: boolean): { readonly tpcds: SemanticModel; readonly tpch: SemanticModel } =>
  declared
    ? { tpcds, tpch }
    : { tpcds: withoutForeignKeys('../../tpcds/model.yaml'), tpch: withoutForeignKeys('../../tpch/model.yaml') }

const withoutForeignKeys = (file: string): SemanticModel =>
  loadText(readFileSync(here(file), 'utf8').replaceAll(', foreignKey: true', ''))

/** If an extension is missing, the reason is printed and its queries are left out. */
export async function* onDuckdb({ declared }: { readonly declared: boolean }): AsyncIterable<Outcome> {
  const models = modelsOf(declared)
  if (declared) yield* ofAnalysts()
  const benchmark = await openBenchmark(0.2)
  if (typeof benchmark === 'string') return console.error(benchmark)
  const { connection } = benchmark
  await connection.run('SET threads = 1')
  const run = (sql: string) => connection.runAndReadAll(sql)
  for (const question of dsQuestions) {
    const found = await answerOf(benchmark, question, models.tpcds)
    const [wanted] = await unlimitedReference(benchmark, question)
    agreed(question.name, disagreement(found, wanted, []))
    const theirs = benchmark.reference(question.number)
    yield* beside({ name: `TPC-DS ${question.name}`, ours: compileFor(question.query, models.tpcds).sql, theirs }, run)
  }
  const texts = await benchmark.tpch(0.3)
  if (texts) yield* ofTpch(connection, texts, models.tpch)
  benchmark.close()
}

async function* ofAnalysts(): AsyncIterable<Outcome> {
  const connection = await openParquet({})
  await connection.run('SET threads = 1')
  for (const table of FLIGHTS_TABLES)
    await connection.run(`CREATE TABLE ${table} AS FROM read_parquet('${FLIGHTS}data/${table}.parquet')`)
  for (const { name, query, sql } of analysts) {
    const ours = compileFor(query, flights).sql
    const [found, wanted] = [await ask(connection, ours), await ask(connection, sql)]
    agreed(name, difference(found, { columns: found.columns, rows: wanted.rows }, false))
    yield contested({ name, ours, theirs: sql }, (text) => connection.runAndReadAll(text), processorClock)
  }
  connection.closeSync()
}

async function* ofTpch(
  connection: DuckDBConnection,
  texts: ReadonlyMap<number, string>,
  model: SemanticModel,
): AsyncIterable<Outcome> {
  const asked = (query: unknown): Promise<Answer> => ask(connection, compileFor(query, model).sql)
  for (const question of hQuestions) {
    const query = await filledIn(question, asked)
    const theirs = texts.get(Number(question.name.slice(1))) ?? ''
    const [found, wanted] = [project(await asked(query), question), await ask(connection, theirs)]
    agreed(question.name, difference(found, { columns: found.columns, rows: wanted.rows }, false))
    const contest: Contest = { name: `TPC-H ${question.name}`, ours: compileFor(query, model).sql, theirs }
    yield* beside(contest, (text) => connection.runAndReadAll(text))
  }
}

/** Beside the text of the benchmark, and beside the one that loses no row, where there is one. */
async function* beside(contest: Contest, run: (sql: string) => Promise<unknown>): AsyncIterable<Outcome> {
  yield contested(contest, run, processorClock)
  const { name } = contest
  for (const { sql } of whole.filter((one) => one.name === name))
    yield contested({ ...contest, name: `${name}, no row lost,`, theirs: sql, isAgain: true }, run, processorClock)
}

export function agreed(name: string, difference: string | undefined): void {
  if (difference !== undefined) throw new Error(`${name}: the statement by hand answers otherwise: ${difference}`)
}

/** TPC-H and TPC-DS on PostgreSQL: the statements of Grainline beside the texts that DuckDB's extensions have, as far as PostgreSQL reads them. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { postgres } from '@grainline/dialect-postgres'
import { comparedOf } from '../../../core/src/model/join-term.js'
import type { SemanticModel } from '../../../core/src/model/semantic-model.js'
import { askPostgres } from '../../interop/postgres/answer.js'
import type { Client } from '../../interop/postgres/client.js'
import { openBenchmark } from '../../interop/tpcds/benchmark.js'
import { ask, difference } from '../../support/answers.js'
import { compileFor } from '../../support/compile.js'
import { questions as dsQuestions, tpcds } from '../../tpcds/questions.js'
import { filledIn, questions as hQuestions, tpch } from '../../tpch/questions.js'
import { type Clock, contested, type Outcome } from './contest.js'
import { agreed } from './duckdb.js'

/** A statement takes this long at most: texts that ask a subquery for each row are not the best by hand on PostgreSQL. */
const MOST_MS = 15_000

/** It rounds quotients that are halves of a hundredth, which are doubles: up on one engine, down on the other. */
const ROUNDED = 'TPC-DS q78'

interface Asked {
  readonly name: string
  readonly query: unknown
  readonly theirs: string
}

/** Leaves the tables in schemas of the server. Texts that PostgreSQL refuses or does not finish are left out with a sentence. */
export async function* onTpc(client: Client, { clock, ...scales }: Scales & { readonly clock: Clock }): AsyncIterable<Outcome> {
  const benchmark = await openBenchmark(scales.tpcds)
  if (typeof benchmark === 'string') return console.error(benchmark)
  const { connection } = benchmark
  await copied(connection, client, tpcds, 'tpcds')
  const ds = dsQuestions.map(
    ({ name, number, query }): Asked => ({ name: `TPC-DS ${name}`, query, theirs: benchmark.reference(number) }),
  )
  for (const asked of ds) yield* compared(asked, tpcds, { connection, client, clock })
  const texts = await benchmark.tpch(scales.tpch)
  if (texts) {
    await copied(connection, client, tpch, 'tpch')
    for (const question of hQuestions) {
      const query = await filledIn(question, (first) => ask(connection, compileFor(first, tpch).sql))
      const theirs = texts.get(Number(question.name.slice(1))) ?? ''
      yield* compared({ name: `TPC-H ${question.name}`, query, theirs }, tpch, { connection, client, clock })
    }
  }
  benchmark.close()
}

interface Engines {
  readonly connection: DuckDBConnection
  readonly client: Client
  readonly clock: Clock
}

interface Scales {
  readonly tpch: number
  readonly tpcds: number
}

/** First the whole answer is compared with that of DuckDB, which is compared with the text by hand there. */
async function* compared(
  { name, query, theirs }: Asked,
  model: SemanticModel,
  { connection, client, clock }: Engines,
): AsyncIterable<Outcome> {
  const whole = { ...(query as object), limit: undefined }
  const [here, there] = [compileFor(whole, model, postgres), compileFor(whole, model)]
  const found = await askPostgres(client, here.sql, here.columns)
  if (name !== ROUNDED) agreed(name, difference(found, await ask(connection, there.sql), false))
  try {
    await client.query(theirs)
  } catch (error) {
    return console.error(`${name} by hand on PostgreSQL: ${error instanceof Error ? error.message : String(error)}`)
  }
  const ours = compileFor(query, model, postgres).sql
  yield contested({ name, ours, theirs }, (text) => client.query({ text, rowMode: 'array' }), clock)
}

const TYPES: Readonly<Record<string, string>> = { DOUBLE: 'DOUBLE PRECISION', VARCHAR: 'TEXT' }

/** The tables of a model, through files, with its keys and with an index for the columns of each join. */
async function copied(connection: DuckDBConnection, client: Client, model: SemanticModel, schema: string): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'grainline-tpc-'))
  // The server may run as another user.
  chmodSync(folder, 0o755)
  await client.query(`CREATE SCHEMA ${schema}; SET search_path = ${schema}; SET statement_timeout = 0`)
  const objects = [...model.dataObjects.values()]
  for (const table of new Set(objects.map(tableOf))) {
    const described = (await ask(connection, `SELECT column_name, column_type FROM (DESCRIBE ${table})`)).rows
    const columns = described.map(([name, type]) => `"${String(name)}" ${TYPES[String(type)] ?? String(type)}`)
    const file = path.join(folder, `${table}.csv`)
    await connection.run(`COPY ${table} TO '${file}' (FORMAT csv, HEADER false)`)
    await client.query(`CREATE TABLE ${table} (${columns.join(', ')}); COPY ${table} FROM '${file}' (FORMAT csv)`)
  }
  const indexes = objects.flatMap((object) =>
    [object.key, ...object.joins.map((join) => comparedOf(join.on, 'from'))].flatMap((names) => {
      const codes = names.flatMap((name) => codeOf(object.columns.get(name)) ?? [])
      return codes.length === names.length && codes.length > 0 ? [`CREATE INDEX ON ${tableOf(object)} (${codes.join(', ')})`] : []
    }),
  )
  for (const index of new Set(indexes)) await client.query(index)
  await client.query('ANALYZE')
  await client.query(`SET statement_timeout = ${MOST_MS}`)
  rmSync(folder, { recursive: true })
}

const tableOf = ({ source }: { readonly source: { readonly kind: string; readonly name?: string } }): string => source.name ?? ''

const codeOf = (column: { readonly source: { readonly kind: string; readonly code?: string } } | undefined): string | undefined =>
  column?.source.code

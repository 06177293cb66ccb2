/** The statements for PostgreSQL compared with hand-written ones for analysts' queries; answers are compared first. */
import { postgres } from '@grainline/dialect-postgres'
import { askPostgres } from '../../interop/postgres/answer.js'
import type { Client } from '../../interop/postgres/client.js'
import { openPostgres } from '../../interop/postgres/open.js'
import { ask, type Cell, difference, exact, openParquet } from '../../support/answers.js'
import { compileFor } from '../../support/compile.js'
import { processorMs } from '../processor-time.js'
import { type Clock, contested, type Outcome, wallClock } from './contest.js'
import { agreed, analysts, FLIGHTS, FLIGHTS_TABLES, flights } from './duckdb.js'
import { onTpc } from './postgres-tpc.js'

/** If no server is installed, this is the reason. */
export async function* onPostgres(): AsyncIterable<Outcome> {
  const server = await openPostgres()
  if (typeof server === 'string') return console.error(server)
  const { client } = server
  await copyFlights(client)
  await client.query('SET max_parallel_workers_per_gather = 0')
  const clock = await clockOf(client)
  for (const { name, query, sql } of analysts) {
    const compiled = compileFor(query, flights, postgres)
    const found = await askPostgres(client, compiled.sql, compiled.columns)
    const wanted = await client.query({ text: sql, rowMode: 'array' })
    // Hand-written averages are exact numbers; ours are doubles.
    const rows = wanted.rows.map((row) => row.map((cell, i) => cellOf(cell, compiled.columns[i]!.type.kind)))
    agreed(name, difference(found, { columns: found.columns, rows }, false))
    yield contested({ name, ours: compiled.sql, theirs: sql }, (text) => client.query({ text, rowMode: 'array' }), clock)
  }
  yield* onTpc(client, { clock, tpch: 0.05, tpcds: 0.05 })
  await server.close()
}

/** The processor time of the server's process for this client, where the system tells it. */
async function clockOf(client: Client): Promise<Clock> {
  const { rows } = await client.query({ text: 'SELECT pg_backend_pid()', rowMode: 'array' })
  const pid = Number(rows[0]?.[0])
  return Number.isNaN(processorMs(pid)) ? wallClock : () => processorMs(pid)
}

function cellOf(text: string | null, kind: string): Cell {
  if (text === null || kind === 'string') return text
  return kind === 'boolean' ? text === 't' : kind === 'float' ? Number(text) : exact(text)
}

const TYPES: Readonly<Record<string, string>> = { DOUBLE: 'DOUBLE PRECISION', VARCHAR: 'TEXT' }
const BATCH = 5000

/** The tables as DuckDB reads them, row by row as literals, because the client of the tests has no COPY. */
async function copyFlights(client: Client): Promise<void> {
  const files = await openParquet(Object.fromEntries(FLIGHTS_TABLES.map((table) => [table, `${FLIGHTS}data/${table}.parquet`])))
  for (const table of FLIGHTS_TABLES) {
    const described = (await ask(files, `SELECT column_name, column_type FROM (DESCRIBE ${table})`)).rows
    const columns = described.map(([name, type]) => ({ name: `"${String(name)}"`, type: String(type) }))
    await client.query(`CREATE TABLE ${table} (${columns.map(({ name, type }) => `${name} ${TYPES[type] ?? type}`).join(', ')})`)
    const texts = columns.map(({ name }) => `COALESCE('''' || REPLACE(CAST(${name} AS VARCHAR), '''', '''''') || '''', 'NULL')`)
    const { rows } = await ask(files, `SELECT '(' || ${texts.join(" || ', ' || ")} || ')' FROM ${table}`)
    for (let at = 0; at < rows.length; at += BATCH) {
      const values = rows.slice(at, at + BATCH).map(([row]) => String(row))
      await client.query(`INSERT INTO ${table} VALUES ${values.join(', ')}`)
    }
  }
  await client.query('ANALYZE')
  files.closeSync()
}

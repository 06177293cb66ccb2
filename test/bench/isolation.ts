/**
 * The cost, for a small query, of resetting its connection and of being cancellable: DuckDB and PostgreSQL compared with their bare
 * drivers.
 */
import { silentLogger } from '@grainline/core'
import { FLOAT, type ResultSchema, type VendorConnection } from '@grainline/core/vendor'
import { duckdbVendor, planOf } from '@grainline/vendor-duckdb'
import { plansOf, postgresVendor } from '@grainline/vendor-postgres'
import { openPostgres } from '../interop/postgres/open.js'
import { bareRead } from './bare-read.js'
import { type Measurement, percentile } from './measurement.js'

const ROUNDS = 300
const schema: ResultSchema = [{ name: 'v', type: FLOAT, role: 'measure' }]
const NOTHING = 'SELECT CAST(1 AS DOUBLE PRECISION) AS v'
/** Some milliseconds of work. */
const SMALL = 'SELECT sum(sqrt(v)) AS v FROM t'
const ROWS = 200_000

export async function isolationBench(): Promise<readonly Measurement[]> {
  return [...(await ofDuckdb()), ...(await ofPostgres())]
}

async function ofDuckdb(): Promise<Measurement[]> {
  const table = `CREATE TABLE t AS SELECT CAST(range AS DOUBLE) AS v FROM range(${10 * ROWS})`
  const plan = planOf({ init: [table] }, { DUCKDB_DATABASE: undefined, DUCKDB_READ_ONLY: false })
  const connection = await duckdbVendor(plan).connect({ logger: silentLogger, poolSize: 1 })
  const measured: Measurement[] = []
  for (const sql of [NOTHING, SMALL]) {
    const bare = await bareRead(sql, [table])
    measured.push(...(await compared('DuckDB', sql, connection, bare.read)))
    bare.close()
  }
  await connection.close()
  return measured
}

async function ofPostgres(): Promise<Measurement[]> {
  const server = await openPostgres()
  if (typeof server === 'string') return []
  const bare = server.client
  await bare.query(`CREATE TABLE t AS SELECT CAST(i AS DOUBLE PRECISION) AS v FROM generate_series(1, ${ROWS}) AS g(i)`)
  const [plan] = plansOf(
    { host: server.socket, user: 'postgres', database: 'postgres' },
    { POSTGRES_URL: undefined, POSTGRES_STATEMENT_TIMEOUT_MS: undefined, REDSHIFT_URL: undefined },
  )
  const connection = await postgresVendor(plan!).connect({ logger: silentLogger, poolSize: 1 })
  const measured: Measurement[] = []
  for (const sql of [NOTHING, SMALL]) {
    measured.push(...(await compared('PostgreSQL', sql, connection, () => bare.query({ text: sql, rowMode: 'array' }))))
  }
  await connection.close()
  await server.close()
  return measured
}

/** In turns, so that other load on the machine affects both sides. */
async function compared(
  engine: string,
  sql: string,
  connection: VendorConnection,
  bare: () => Promise<unknown>,
): Promise<Measurement[]> {
  const ours: number[] = []
  const theirs: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    ours.push(await timed(() => drain(connection, sql)))
    theirs.push(await timed(bare))
  }
  const [our, their] = [ours, theirs].map((times) =>
    percentile(
      times.toSorted((a, b) => a - b),
      0.25,
    ),
  ) as [number, number]
  const name = `a statement of ${their.toFixed(1)} ms on ${engine}, beside its bare driver`
  const note = `${((our - their) * 1000).toFixed(0)} µs more`
  return [{ name, value: our / their, unit: '×', target: sql === SMALL ? 1.05 : undefined, better: 'less', note }]
}

async function drain(connection: VendorConnection, sql: string): Promise<void> {
  for await (const { rowCount } of connection.query(sql, { schema })) if (rowCount !== 1) throw new Error(`${rowCount} rows`)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

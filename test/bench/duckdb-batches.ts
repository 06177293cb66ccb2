/** DuckDB to batches: one million rows of five columns, read and discarded, compared with a loop that only fetches the chunks of DuckDB. */
import { pathToFileURL } from 'node:url'
import { silentLogger } from '@grainline/core'
import { DATE, decimal, FLOAT, INT, type ResultSchema, STRING } from '@grainline/core/vendor'
import { duckdbVendor, planOf } from '@grainline/vendor-duckdb'
import { bareRead } from './bare-read.js'

interface Measured {
  readonly name: string
  readonly value: number
  readonly unit: string
}

const ROWS = 1_000_000
const ROUNDS = 7
const SELECT = 'SELECT id, label, amount, day, price FROM t'
const schema: ResultSchema = [
  { name: 'id', type: INT, role: 'dimension' },
  { name: 'label', type: STRING, role: 'dimension' },
  { name: 'amount', type: FLOAT, role: 'measure' },
  { name: 'day', type: DATE, role: 'dimension' },
  { name: 'price', type: decimal(12, 2), role: 'measure' },
]
const TABLE = `CREATE TABLE t AS SELECT range AS id, 'order number ' || range % 9973 AS label, range * 0.37::DOUBLE AS amount,
  DATE '2020-01-01' + (range % 1500)::INTEGER AS day, (range % 100000 / 100)::DECIMAL(12,2) AS price FROM range(${ROWS})`

export async function run(): Promise<Measured[]> {
  const bare = await bareRead(SELECT, [TABLE])
  const plan = planOf({ init: [TABLE] }, { DUCKDB_DATABASE: undefined, DUCKDB_READ_ONLY: false })
  const connection = await duckdbVendor(plan).connect({ logger: silentLogger, poolSize: 1 })
  const drain = async (): Promise<void> => {
    let rows = 0
    for await (const batch of connection.query(SELECT, { schema })) {
      rows += batch.rowCount
      peak = Math.max(peak, process.memoryUsage.rss())
    }
    if (rows !== ROWS) throw new Error(`${rows} rows`)
  }
  let peak = 0
  await drain()
  const before = process.memoryUsage.rss()
  peak = before
  const ours: number[] = []
  const theirs: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    ours.push(await timed(drain))
    theirs.push(await timed(bare.read))
  }
  await connection.close()
  bare.close()
  return [
    { name: 'DuckDB to batches', value: Math.round(ROWS / (median(ours) / 1000)), unit: 'rows/s' },
    { name: 'DuckDB to batches, growth of memory at its peak', value: Math.round((peak - before) / 1024 / 1024), unit: 'MB' },
    {
      name: 'DuckDB to batches, time beside a bare fetchChunk loop',
      value: Math.round((median(ours) / median(theirs)) * 100) / 100,
      unit: '×',
    },
  ]
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.table(await run())

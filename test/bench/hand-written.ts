import type { Outcome } from './hand-written/contest.js'
import { onDuckdb } from './hand-written/duckdb.js'
import { onPostgres } from './hand-written/postgres.js'
import { type Measurement, percentile } from './measurement.js'

const MEDIAN = 1.05
const WORST = 1.5

/** Our SQL compared with the best hand-written SQL: the same rows on the same connection, in turns. */
export async function handWrittenBench(): Promise<readonly Measurement[]> {
  return [
    ...(await measured('DuckDB', onDuckdb({ declared: true }))),
    ...(await measured('DuckDB without foreign keys', onDuckdb({ declared: false }))),
    ...(await measured('PostgreSQL', onPostgres())),
  ]
}

async function measured(engine: string, outcomes: AsyncIterable<Outcome>): Promise<Measurement[]> {
  const all: Measurement[] = []
  const ratios: number[] = []
  for await (const { name, ourTime, theirTime, ratio, isAgain } of outcomes) {
    if (!isAgain) ratios.push(ratio)
    const note = `${ourTime.toFixed(1)} ms, by hand ${theirTime.toFixed(1)}`
    all.push({
      name: `${name} on ${engine}, beside the SQL by hand`,
      value: ratio,
      unit: '×',
      target: WORST,
      better: 'less',
      note,
    })
  }
  if (all.length === 0) return []
  const sorted = ratios.toSorted((a, b) => a - b)
  const name = `${ratios.length} questions on ${engine}, beside the SQL by hand (median)`
  return [...all, { name, value: percentile(sorted, 0.5), unit: '×', target: MEDIAN, better: 'less' }]
}

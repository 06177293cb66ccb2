/**
 * Every eighth flight, as a file like that of all flights: grouping all of them by forty columns takes seconds of processor time, and whether a statement
 * means what its words say does not depend on how many there are. The long run asks about all of them.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { amount } from '../support/amount.js'

export const ALL_FLIGHTS = path.resolve(import.meta.dirname, '../../examples/flights/data/flights.parquet')

let few: Promise<string> | undefined

export async function fewFlights(): Promise<string> {
  few ??= amount(everyEighth, async () => ALL_FLIGHTS)()
  return few
}

async function everyEighth(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'grainline-flights-'))
  process.once('exit', () => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'flights.parquet')
  const connection = await (await DuckDBInstance.create()).connect()
  await connection.run(
    `COPY (SELECT * EXCLUDE (file_row_number) FROM read_parquet('${ALL_FLIGHTS}', file_row_number = true) WHERE file_row_number % 8 = 0) TO '${file}' (ROW_GROUP_SIZE 8192)`,
  )
  connection.closeSync()
  return file
}

/** The same queries in hand-written SQL, over the tables of the flights themselves. */
import { DuckDBInstance } from '@duckdb/node-api'
import { sharedWorld } from '../support/shared-world.js'
import { ALL_FLIGHTS, fewFlights } from './few-flights.js'

const folder = new URL('../../examples/flights/data/', import.meta.url).pathname

/** Flights with the fields of the model; `on_day` is the date in New York. */
const VIEW = `CREATE VIEW f AS SELECT f.*, a.name AS airline, o.name AS origin_airport, d.name AS destination_airport, p.manufacturer,
  p.year AS year_built, make_date(f.year::INT, f.month::INT, f.day::INT) AS on_day,
  CASE WHEN dep_time IS NULL THEN 'cancelled' WHEN dep_delay > 15 THEN 'late' ELSE 'on time' END AS status
  FROM flights f LEFT JOIN airlines a USING (carrier) LEFT JOIN airports o ON o.faa = f.origin LEFT JOIN airports d ON d.faa = f.dest
  LEFT JOIN planes p USING (tailnum)`

export const byHand = sharedWorld(() => tablesWith(ALL_FLIGHTS))
export const fewByHand = sharedWorld(async () => tablesWith(await fewFlights()))

async function tablesWith(flights: string) {
  const connection = await (await DuckDBInstance.create()).connect()
  await connection.run(`CREATE TABLE flights AS SELECT * FROM read_parquet('${flights}')`)
  for (const name of ['airlines', 'planes', 'airports', 'weather'])
    await connection.run(`CREATE TABLE ${name} AS SELECT * FROM read_parquet('${folder}${name}.parquet')`)
  await connection.run(VIEW)
  return {
    rows: async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson().map((row) => row.map(canonical)),
    close: () => connection.closeSync(),
  }
}

/** Numbers in a canonical form, timestamps at midnight as dates, because engines return the same number with other types. */
export function canonical(value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (value === true || value === 't') return 't'
  if (value === false || value === 'f') return 'f'
  const text = String(value).replace(/ 00:00:00$/, '')
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(Number(text).toPrecision(12)) : text
}

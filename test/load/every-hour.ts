/** Compares grouping and filtering for every hour of eleven years in twenty zones, on DuckDB and, if it is installed, on PostgreSQL. */
import { DuckDBInstance } from '@duckdb/node-api'
import { duckdb } from '@grainline/dialect-duckdb'
import { postgres } from '@grainline/dialect-postgres'
import { openPostgres } from '../interop/postgres/open.js'
import { ask as askDuckdb } from '../support/answers.js'
import { type ClockEngine, LAST_TICK, TICKS_TABLE, ticksModel, ZONES } from '../support/clocks.js'
import { compileFor } from '../support/compile.js'

/** The number of instants per query. */
const CHUNK = 1000

/** Checks `zones` zones and reports each. Throws at the first difference. */
export async function everyHour(zones: number, told: (line: string) => void = console.log): Promise<string> {
  const engines = [await onDuckdb(), ...(await onPostgres())]
  let hours = 0
  for (const { name, engine, close } of engines) {
    for (const zone of ZONES.slice(0, zones)) {
      const shown = await hoursOf(name, engine, zone)
      told(`${name}, ${zone}: ${shown} hours`)
      hours += shown
    }
    await close()
  }
  const names = engines.map(({ name }) => name).join(' and ')
  return `${hours} hours shown by the clocks of ${zones} zones are grouped and filtered alike on ${names}`
}

interface Opened {
  readonly name: string
  readonly engine: ClockEngine
  readonly close: () => Promise<void>
}

/** The number of hours of the zone, each queried by itself. */
async function hoursOf(name: string, engine: ClockEngine, zone: string): Promise<number> {
  const model = ticksModel()
  const shown = new Set<string>()
  for (let first = 0; first <= LAST_TICK; first += CHUNK) {
    const near = { field: 'Tick', op: 'between', value: [first, first + CHUNK - 1] }
    const ask = (dimensions: readonly string[], filters: readonly object[]) => {
      const query = { select: { dimensions, measures: [] }, where: [near, ...filters], timezone: zone }
      return engine.rows(compileFor(query, model, engine.dialect).sql)
    }
    const rows = await ask(['Tick', 'At hour'], [])
    const labels = [...new Set(rows.map(([, label]) => label!))]
    for (const label of labels) shown.add(label)
    // Every second hour, so that each selected hour is next to one that is not.
    const meant = labels.filter((_, i) => i % 2 === 0)
    const isMeant = new Set(meant)
    for (const op of ['in', 'not_in'] as const) {
      const wanted = new Set(rows.filter(([, label]) => isMeant.has(label!) === (op === 'in')).map(([tick]) => tick!))
      const found = new Set((await ask(['Tick'], [{ field: 'At hour', op, value: meant }])).map(([tick]) => tick!))
      const wrong = [...wanted].find((tick) => !found.has(tick)) ?? [...found].find((tick) => !wanted.has(tick))
      if (wrong !== undefined) throw new Error(`${name}, ${zone}: tick ${wrong} is wrong in ${op} ${meant[0]} …`)
    }
  }
  return shown.size
}

async function onDuckdb(): Promise<Opened> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  for (const statement of ["SET TimeZone = 'UTC'", ...TICKS_TABLE.split(';')]) await connection.run(statement)
  const rows = async (sql: string) => (await askDuckdb(connection, sql)).rows.map((row) => row.map(String))
  const close = async (): Promise<void> => {
    connection.closeSync()
    instance.closeSync()
  }
  return { name: 'DuckDB', engine: { dialect: duckdb, rows }, close }
}

async function onPostgres(): Promise<Opened[]> {
  const opened = await openPostgres()
  if (typeof opened === 'string') return []
  const { client, close } = opened
  await client.query("SET TIME ZONE 'UTC'")
  await client.query(TICKS_TABLE)
  const rows = async (sql: string) =>
    (await client.query({ text: sql, rowMode: 'array' })).rows.map((row: readonly unknown[]) => row.map(String))
  return [{ name: 'PostgreSQL', engine: { dialect: postgres, rows }, close }]
}

/** Moments around the nights on which clocks change, as the model of a zone: an instant, another one, and a time and a day without a zone. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { createHost } from '@grainline/core'
import type { SqlRequest } from '@grainline/core/surface'
import { valueAt } from '@grainline/core/vendor'
import duckdbDialect from '@grainline/dialect-duckdb'
import evaluator from '@grainline/evaluator-duckdb'
import semanticQl from '@grainline/semantic-ql'
import duckdb from '@grainline/vendor-duckdb'
import { canonical } from '../by-hand.js'

/** Zones with repeated hours, half hours and midnights, and with none; and an instant within each of their changes. */
export const NIGHTS: Readonly<Record<string, readonly string[]>> = {
  UTC: ['2024-02-29 23:59:59.999999'],
  'America/New_York': ['2024-11-03 06:00:00', '2024-03-10 07:00:00'],
  'Europe/Berlin': ['2024-10-27 01:00:00', '2024-03-31 01:00:00'],
  'Australia/Lord_Howe': ['2024-04-06 15:00:00', '2024-10-05 15:30:00'],
  'America/Havana': ['2024-11-03 05:00:00', '2024-03-10 05:00:00'],
  'America/Sao_Paulo': ['2018-02-18 02:00:00', '2018-11-04 03:00:00'],
  // At 00:01 it was 23:01 of the day before.
  'America/St_Johns': ['2010-11-07 02:31:00'],
  'Asia/Kolkata': ['2024-12-31 18:30:00'],
}

const ROWS = `SELECT row_number() OVER () AS id, moment, moment + to_minutes(CAST(step * 7 % 95 - 40 AS INT)) AS later, CAST(moment AS DATE) AS day
  FROM (SELECT night + to_minutes(CAST(step * 15 AS INT)) AS moment, step FROM (VALUES ${Object.values(NIGHTS)
    .flat()
    .map((night) => `(TIMESTAMP '${night}')`)
    .join(', ')}) n(night), range(-12, 13) s(step))`

/** Half of the models have weeks that begin on Sunday. */
const weekStart = (zone: string): 'monday' | 'sunday' => (Object.keys(NIGHTS).indexOf(zone) % 2 === 0 ? 'sunday' : 'monday')

const modelOf = (zone: string): string => `
version: 1
name: ${nameOf(zone)}
settings: { queryTimezone: ${zone}, weekStart: ${weekStart(zone)} }
dataObjects:
  Moments:
    code: moments
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      At: { code: at, abstractType: timestamp_tz }
      Later: { code: later, abstractType: timestamp_tz }
      Wall: { code: wall, abstractType: timestamp }
      Day: { code: day, abstractType: date }
dimensions:
${['Id', 'At', 'Later', 'Wall', 'Day'].map((name) => `  ${name}: { dataObject: Moments, column: ${name} }`).join('\n')}
measures:
  Moments: { aggregation: count, columns: [{ dataObject: Moments, column: Id }] }
`

/** The model of a zone. */
export const nameOf = (zone: string): string => zone.toLowerCase().replaceAll(/\W/g, '_')

export async function moments() {
  const folder = await mkdtemp(path.join(tmpdir(), 'moments-'))
  const connection = await (await DuckDBInstance.create()).connect()
  await connection.run("SET TimeZone = 'UTC'")
  await connection.run(
    `COPY (SELECT id, CAST(moment AS TIMESTAMPTZ) AS at, CAST(later AS TIMESTAMPTZ) AS later, moment AS wall, day FROM (${ROWS})) TO '${folder}/moments.parquet' (FORMAT parquet)`,
  )
  connection.closeSync()
  const plugins = [
    duckdbDialect,
    { use: duckdb, with: { tables: { moments: `${folder}/moments.parquet` } } },
    evaluator,
    semanticQl,
  ]
  const preload = Object.keys(NIGHTS).map((zone) => ({ session: nameOf(zone), model: `${folder}/${nameOf(zone)}.yaml` }))
  for (const zone of Object.keys(NIGHTS)) await writeFile(`${folder}/${nameOf(zone)}.yaml`, modelOf(zone))
  const options = { plugins: plugins as never, settings: { QUERY_EXECUTE: true }, preload }
  const host = await createHost(options, { environment: { process: {}, dotenv: {} } })
  await host.start()
  const { service } = host

  /** The rows of a statement, as texts. */
  async function ask(sql: string, parameters: SqlRequest['parameters'] = []): Promise<readonly string[]> {
    const { schema, batches } = await service.executeSql({ asker: undefined, target: {}, sql, parameters })
    const rows: string[] = []
    for await (const batch of batches)
      for (let row = 0; row < batch.rowCount; row++)
        rows.push(batch.columns.map((column, i) => String(canonical(valueAt(column, row, schema[i]!.type)))).join(' | '))
    return rows
  }

  async function close(): Promise<void> {
    await host.close()
    await rm(folder, { recursive: true })
  }
  return { ask, close }
}

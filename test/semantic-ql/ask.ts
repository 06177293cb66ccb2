/** Statements over the flights, sent to a host's service. */
import { createHost, GrainlineError } from '@grainline/core'
import type { SqlExecution, SqlRequest } from '@grainline/core/surface'
import { valueAt } from '@grainline/core/vendor'
import duckdbDialect from '@grainline/dialect-duckdb'
import evaluator from '@grainline/evaluator-duckdb'
import semanticQl from '@grainline/semantic-ql'
import duckdb from '@grainline/vendor-duckdb'
import { sharedWorld } from '../support/shared-world.js'
import { fewFlights } from './few-flights.js'

const folder = new URL('../../examples/flights/', import.meta.url).pathname
const tables = Object.fromEntries(
  ['flights', 'weather', 'hours', 'airports', 'planes', 'airlines'].map((name) => [name, `${folder}data/${name}.parquet`]),
)

export interface Answer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly compiled: SqlExecution['compiled']
}

interface Options {
  readonly evaluator?: object
  readonly settings?: object
  /** The path of another model of the flights. */
  readonly model?: string
  /** The file of other flights. */
  readonly flights?: string
}

const usual = sharedWorld(() => hostWith({}))

/** A host with the flights in the session `flights`, and again in `again`. Suites without options share one, and leave it as it is. */
export const flightsHost = (options?: Options) => (options ? hostWith(options) : usual())

/** The same with few flights, beside `fewByHand`. */
export const fewFlightsHost = sharedWorld(async () => hostWith({ flights: await fewFlights() }))

async function hostWith(options: Options) {
  const plugins = [
    duckdbDialect,
    { use: duckdb, with: { tables: { ...tables, ...(options.flights && { flights: options.flights }) } } },
    { use: evaluator, with: options.evaluator ?? {} },
    semanticQl,
  ]
  const settings = { QUERY_EXECUTE: true, ...options.settings }
  const preload = ['flights', 'again'].map((session) => ({ session, model: options.model ?? `${folder}model.yaml` }))
  const host = await createHost({ plugins: plugins as never, settings, preload }, { environment: { process: {}, dotenv: {} } })
  await host.start()
  const { service } = host

  async function ask(sql: string, parameters: SqlRequest['parameters'] = []): Promise<Answer> {
    const { schema, batches, compiled } = await service.executeSql({
      asker: undefined,
      target: { sessionId: 'flights' },
      sql,
      parameters,
    })
    const rows: unknown[][] = []
    for await (const batch of batches) {
      for (let row = 0; row < batch.rowCount; row++) {
        rows.push(batch.columns.map((column, i) => plain(valueAt(column, row, schema[i]!.type))))
      }
    }
    return { columns: schema.map((column) => column.name), rows, compiled }
  }

  /** The error of a statement; throws if it is answered. */
  async function refusalOf(sql: string, parameters: SqlRequest['parameters'] = []): Promise<GrainlineError> {
    try {
      await ask(sql, parameters)
    } catch (error) {
      if (error instanceof GrainlineError) return error
      throw error
    }
    throw new Error(`answered: ${sql}`)
  }

  return { service, ask, refusalOf, close: () => host.close() }
}

const plain = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value)

/** The data of TPC-DS in a DuckDB, and the text of its queries, both from the extension that install.sh downloads. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'

export interface Benchmark {
  readonly connection: DuckDBConnection
  /** The reference text of a query. */
  readonly reference: (number: number) => string
  /**
   * Creates the data of TPC-H beside it, which is used from then on, and returns the texts of its queries; `undefined` without its
   * extension.
   */
  readonly tpch: (scale: number) => Promise<ReadonlyMap<number, string> | undefined>
  readonly close: () => void
}

const extension = (name: string): string => new URL(`../node_modules/.duckdb/${name}.duckdb_extension`, import.meta.url).pathname
const loading = (name: string): string => `LOAD '${extension(name).replaceAll("'", "''")}'`

/** Creates the data at this scale (1: a gigabyte of text, some 40 seconds). If it cannot, returns the reason as a sentence. */
export async function openBenchmark(scale: number): Promise<Benchmark | string> {
  if (!existsSync(extension('tpcds'))) return 'the TPC-DS extension of DuckDB is not installed (test/interop/tpcds/install.sh)'
  const folder = mkdtempSync(path.join(tmpdir(), 'grainline-tpcds-'))
  const remove = (): void => rmSync(folder, { recursive: true })
  const instance = await DuckDBInstance.create(path.join(folder, 'tpcds.duckdb'))
  const connection = await instance.connect()
  const close = (): void => {
    connection.closeSync()
    instance.closeSync()
    remove()
  }
  try {
    await connection.run(loading('tpcds'))
  } catch (error) {
    close()
    return `the TPC-DS extension does not load: ${String(error)}`
  }
  await connection.run(`CALL dsdgen(sf = ${scale})`)
  const texts = await queryTexts(connection, 'tpcds')
  return {
    connection,
    reference: (number) => texts.get(number) ?? '',
    tpch: (scale) => makeTpch(connection, scale),
    close,
  }
}

async function makeTpch(connection: DuckDBConnection, scale: number): Promise<ReadonlyMap<number, string> | undefined> {
  if (!existsSync(extension('tpch'))) return undefined
  await connection.run(loading('tpch'))
  await connection.run('CREATE SCHEMA tpch')
  await connection.run('USE tpch')
  await connection.run(`CALL dbgen(sf = ${scale})`)
  return queryTexts(connection, 'tpch')
}

async function queryTexts(connection: DuckDBConnection, name: 'tpcds' | 'tpch'): Promise<ReadonlyMap<number, string>> {
  const reader = await connection.runAndReadAll(`SELECT query_nr, query FROM ${name}_queries()`)
  return new Map(reader.getRowsJson().map(([number, text]) => [Number(number), String(text)]))
}

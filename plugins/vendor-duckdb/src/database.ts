import { existsSync } from 'node:fs'
import path from 'node:path'
import type * as Bindings from '@duckdb/node-bindings'
import { fail, type Logger } from '@grainline/core'
import { attachedFiles, warnOfLocks } from './attached-files.js'
import type { Driver } from './driver.js'
import { databaseError } from './errors.js'
import type { OpenedFile } from './opened-file.js'
import type { DuckDBPlan, TableSource } from './options.js'

export interface Database {
  /** A new connection, ready to answer. */
  connect(): Promise<Bindings.Connection>
  /** Files beside the main one, which `init` has attached. */
  readonly attached: readonly OpenedFile[]
  close(): void
}

/**
 * Opens the database, runs the statements of the configuration, and then locks it: no files except those of the configuration, no
 * network, no extensions, no change of settings for as long as it is open. Throws `DATABASE_ERROR` and `INVALID_CONFIG`.
 */
export async function openDatabase(plan: DuckDBPlan, driver: Driver, logger: Logger): Promise<Database> {
  const { bindings } = driver
  requireFiles(plan)
  const database = await bindings.open(plan.database ?? ':memory:', configOf(plan, bindings)).catch(refuse)
  const run = async (connection: Bindings.Connection, statements: readonly string[]) => {
    for (const statement of statements) await bindings.query(connection, statement)
  }
  // The catalog of a file is not changed, so views over other files are temporary: one set for each connection.
  const perConnection = plan.database === undefined ? [] : plan.tables.map((table) => viewOver(table, 'TEMP'))
  let attached: readonly OpenedFile[]
  try {
    const first = await bindings.connect(database)
    await run(first, plan.init)
    if (plan.database === undefined) await run(first, plan.tables.flatMap(inMemoryTable))
    attached = await attachedFiles(first, driver, plan.database)
    await run(first, lockDown(plan))
    bindings.disconnect_sync(first)
  } catch (error) {
    bindings.close_sync(database)
    throw databaseError(error)
  }
  warnOfLocks(attached, logger)
  logger.debug(
    { database: plan.database === undefined ? 'in memory' : path.basename(plan.database), tables: plan.tables.length },
    'DuckDB is open',
  )
  return {
    async connect() {
      const connection = await bindings.connect(database)
      await run(connection, perConnection)
      return connection
    },
    attached,
    close: () => bindings.close_sync(database),
  }
}

const refuse = (error: unknown): never => {
  throw databaseError(error)
}

/** The error about a missing file names the table that needs it. */
function requireFiles({ tables }: DuckDBPlan): void {
  for (const { name, files } of tables) {
    const missing = files.find((file) => !isGlob(file) && !existsSync(file))
    if (missing !== undefined) {
      fail('INVALID_CONFIG', `The file '${path.basename(missing)}' of table '${name.join('.')}' does not exist`, {
        path: `tables.${name.join('.')}`,
      })
    }
  }
}

function configOf(
  { database, readOnly, threads, memoryLimit, tempLimit }: DuckDBPlan,
  bindings: typeof Bindings,
): Bindings.Config {
  const config = bindings.create_config()
  const set = (name: string, value: string | number | undefined) =>
    value !== undefined && bindings.set_config(config, name, String(value))
  set('autoinstall_known_extensions', 'false')
  set('autoload_known_extensions', 'false')
  // Secrets stored in the home folder of the user that runs the server are none of our business.
  set('allow_persistent_secrets', 'false')
  set('access_mode', database !== undefined && readOnly ? 'READ_ONLY' : undefined)
  set('threads', threads)
  set('memory_limit', memoryLimit)
  set('max_temp_directory_size', tempLimit)
  return config
}

function lockDown({ tables, allowedDirectories }: DuckDBPlan): string[] {
  const files = tables.flatMap((table) => table.files)
  const directories = [...allowedDirectories, ...files.filter(isGlob).map(fixedFolder)]
  return [
    "SET GLOBAL TimeZone = 'UTC'",
    // In 1.5.5 this optimizer treats different subplans of a UNION ALL as equal and returns values of another level.
    "SET GLOBAL disabled_optimizers = 'common_subplan'",
    `SET GLOBAL allowed_paths = ${textList(files.filter((file) => !isGlob(file)))}`,
    `SET GLOBAL allowed_directories = ${textList(directories)}`,
    'SET GLOBAL enable_external_access = false',
    'SET GLOBAL lock_configuration = true',
  ]
}

/** A view in memory, with the schema and the database of its name. */
function inMemoryTable(table: TableSource): string[] {
  const [schema, database] = table.name.slice(0, -1).reverse()
  return [
    ...(database === undefined ? [] : [`ATTACH IF NOT EXISTS ':memory:' AS ${quoted(database)}`]),
    ...(schema === undefined
      ? []
      : [`CREATE SCHEMA IF NOT EXISTS ${[...(database === undefined ? [] : [database]), schema].map(quoted).join('.')}`]),
    viewOver(table, ''),
  ]
}

function viewOver({ name, files, format }: TableSource, kind: 'TEMP' | ''): string {
  const reader = { parquet: 'read_parquet', csv: 'read_csv', json: 'read_json' }[format]
  const target = kind === 'TEMP' ? [name.at(-1) ?? ''] : name
  return `CREATE ${kind} VIEW ${target.map(quoted).join('.')} AS SELECT * FROM ${reader}(${textList(files)})`
}

const isGlob = (file: string): boolean => /[*?[]/.test(file)

/** The folder in front of a pattern's first wildcard. */
const fixedFolder = (pattern: string): string => path.dirname(pattern.slice(0, pattern.search(/[*?[]/)).concat('x'))

const quoted = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`
const textList = (texts: readonly string[]): string => `[${texts.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ')}]`

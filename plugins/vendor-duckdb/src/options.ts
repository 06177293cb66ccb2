import { existsSync } from 'node:fs'
import path from 'node:path'
import { fail, type Static, Type } from '@grainline/core'
import { availableMemory } from '@grainline/core/vendor'

const file = Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })])

export const optionsSchema = Type.Object(
  {
    database: Type.Optional(
      Type.String({ description: 'A DuckDB database file; without it (or with :memory:) the database lives in memory.' }),
    ),
    readOnly: Type.Optional(
      Type.Boolean({
        description: 'False opens the file for writing, and creates it if it is missing. Otherwise the file must exist.',
      }),
    ),
    tables: Type.Optional(
      Type.Record(Type.String(), file, {
        description:
          'Views over Parquet, CSV or JSON files by name (`table`, `schema.table`, in memory also `database.schema.table`).',
      }),
    ),
    init: Type.Optional(
      Type.Array(Type.String(), { description: 'Statements run once at connect, before the configuration is locked.' }),
    ),
    allowedDirectories: Type.Optional(
      Type.Array(Type.String(), { description: 'Folders that statements may read beside the files of `tables`.' }),
    ),
    threads: Type.Optional(Type.Integer({ minimum: 1 })),
    memoryLimit: Type.Optional(
      Type.String({ description: "For instance '2GB'; by default half of the memory of the machine or container." }),
    ),
    tempLimit: Type.Optional(Type.String({ description: "Disk space for what does not fit into memory, for instance '10GB'." })),
    base: Type.Optional(
      Type.String({ description: "Where relative paths start: the configuration file's folder, else the working directory." }),
    ),
  },
  { additionalProperties: false },
)

export type DuckDBOptions = Static<typeof optionsSchema>

/** What to open, with every path absolute. */
export interface DuckDBPlan {
  /** `undefined` is in memory. */
  readonly database: string | undefined
  readonly readOnly: boolean
  readonly tables: readonly TableSource[]
  readonly init: readonly string[]
  readonly allowedDirectories: readonly string[]
  readonly threads: number | undefined
  readonly memoryLimit: string
  readonly tempLimit: string
}

export interface TableSource {
  /** One to three parts, the table last. */
  readonly name: readonly string[]
  readonly files: readonly string[]
  readonly format: 'parquet' | 'csv' | 'json'
}

interface Variables {
  readonly DUCKDB_DATABASE: string | undefined
  readonly DUCKDB_READ_ONLY?: boolean
  readonly DUCKDB_MEMORY_LIMIT?: string | undefined
  readonly DUCKDB_THREADS?: number | undefined
  readonly DUCKDB_TEMP_LIMIT?: string | undefined
}

const TEMP_LIMIT = '10GB'

/**
 * Options and variables as one plan. A database named by `DUCKDB_DATABASE` is served *instead*: the tables of the configuration, which
 * stand for the contents of its own database, are then left out. So many processes open it and share the memory. Throws `INVALID_CONFIG`,
 * also for a file to read that is not there.
 */
export function planOf(options: DuckDBOptions, variables: Variables, processes = 1): DuckDBPlan {
  const base = options.base ?? process.cwd()
  const named = databaseOf(variables.DUCKDB_DATABASE, process.cwd())
  const tables = named === undefined ? Object.entries(options.tables ?? {}) : []
  const database = named ?? databaseOf(options.database, base)
  const readOnly = (variables.DUCKDB_READ_ONLY ?? true) && options.readOnly !== false
  if (readOnly) requireFile(database)
  else refuseShared(database, processes)
  return {
    database,
    readOnly,
    tables: tables.map(([name, files]) => tableSource(name, [files].flat(), base)),
    init: options.init ?? [],
    allowedDirectories: (options.allowedDirectories ?? []).map((folder) => path.resolve(base, folder)),
    threads: variables.DUCKDB_THREADS ?? options.threads,
    memoryLimit: variables.DUCKDB_MEMORY_LIMIT ?? options.memoryLimit ?? defaultLimit(availableMemory() / processes),
    tempLimit: variables.DUCKDB_TEMP_LIMIT ?? options.tempLimit ?? TEMP_LIMIT,
  }
}

/** A misspelled name is an error at once, and creates no empty database. */
function requireFile(database: string | undefined): void {
  if (database === undefined || existsSync(database)) return
  fail('INVALID_CONFIG', `The database file '${database}' does not exist`, {
    path: 'DUCKDB_DATABASE',
    hint: 'Correct the path; DUCKDB_READ_ONLY=false creates the file and opens it for writing.',
  })
}

/** DuckDB lets one process write to a file, and then no other open it. */
function refuseShared(database: string | undefined, processes: number): void {
  if (database === undefined || processes === 1) return
  fail('INVALID_CONFIG', `${processes} workers cannot open '${database}' for writing: DuckDB lets one process do so`, {
    path: 'DUCKDB_READ_ONLY',
    hint: 'Leave DUCKDB_READ_ONLY at true and readOnly out of the options, or serve with --workers 1.',
  })
}

/** Memory for the evaluator of statements (256 MB) and the catalogue of the Postgres wire (512 MB), in bytes. */
const BESIDE = 768 * 2 ** 20

/** Half of the remaining memory, but at least a quarter of all memory; the rest is for the server and the page cache. */
export const defaultLimit = (all: number): string =>
  `${Math.max(64, Math.floor(Math.max((all - BESIDE) / 2, all / 4) / 2 ** 20))}MiB`

const databaseOf = (database: string | undefined, base: string): string | undefined =>
  database === undefined || database === '' || database === ':memory:' ? undefined : path.resolve(base, database)

function tableSource(name: string, files: readonly string[], base: string): TableSource {
  const parts = name.split('.')
  if (parts.length > 3 || parts.includes('')) {
    fail('INVALID_CONFIG', `'${name}' is not a table name of the form table, schema.table or database.schema.table`, {
      path: `tables.${name}`,
    })
  }
  const resolved = files.map((given) => path.resolve(base, given))
  const [format, ...others] = new Set(resolved.map((given) => formatOf(given, name)))
  if (format === undefined || others.length > 0) {
    fail('INVALID_CONFIG', `The files of '${name}' must be of one format`, { path: `tables.${name}` })
  }
  return { name: parts, files: resolved, format }
}

const formats: Readonly<Record<string, TableSource['format']>> = {
  '.parquet': 'parquet',
  '.pq': 'parquet',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.json': 'json',
  '.ndjson': 'json',
  '.jsonl': 'json',
}

function formatOf(given: string, name: string): TableSource['format'] {
  const extension = path.extname(given.replace(/\.(gz|zst)$/i, '')).toLowerCase()
  return (
    formats[extension] ??
    fail('INVALID_CONFIG', `'${name}' is over '${path.basename(given)}', which is not a Parquet, CSV or JSON file`, {
      path: `tables.${name}`,
    })
  )
}

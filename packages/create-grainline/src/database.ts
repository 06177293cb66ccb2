import path from 'node:path'

/** The database of a project: its variables, and the packages that read it. */
export interface Database {
  readonly vendor: string
  readonly variables: Readonly<Record<string, string>>
  readonly packages: readonly string[]
}

const VENDORS: Readonly<Record<string, string>> = {
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
  'mysql:': 'mysql',
  'mariadb:': 'mariadb',
  'snowflake:': 'snowflake',
  'databricks:': 'databricks',
  'bigquery:': 'bigquery',
}

/** Drivers that `grainline` does not bring. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  duckdb: ['@grainline/vendor-duckdb', '@grainline/evaluator-duckdb'],
  dremio: ['@grainline/vendor-dremio'],
  snowflake: ['snowflake-sdk@^3.3.0'],
  databricks: ['@databricks/sql@^2.1.0'],
  bigquery: ['@google-cloud/bigquery@^8.1.0'],
}

/** The database at an address, or in a file of DuckDB in the folder; `undefined` if the address does not say which one it is. */
export function databaseAt(address: string, given: string | undefined, folder: string): Database | undefined {
  const vendor = given ?? vendorOf(address)
  if (vendor === undefined) return undefined
  const place =
    vendor === 'duckdb' ? { DUCKDB_DATABASE: path.resolve(folder, address) } : { [`${vendor.toUpperCase()}_URL`]: address }
  return { vendor, variables: { DB_VENDOR: vendor, ...place }, packages: PACKAGES[vendor] ?? [] }
}

function vendorOf(address: string): string | undefined {
  if (/\.(duckdb|ddb)$/i.test(address)) return 'duckdb'
  return URL.canParse(address) ? VENDORS[new URL(address).protocol] : undefined
}

/** The files of the sample, read by DuckDB. */
export const SAMPLE: Database = { vendor: 'duckdb', variables: { DB_VENDOR: 'duckdb' }, packages: PACKAGES['duckdb'] ?? [] }

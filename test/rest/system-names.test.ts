/**
 * Names that are no tables of the data, as a model of a client may write them for each of the twelve engines. Each is refused where only the
 * dialect of that engine is loaded, however it is written, and names of data are not.
 */
import t from 'tap'
import { startRest, type TestServer } from './server.js'

/** The parts of a name. */
type Path = readonly string[]

const STANDARD: readonly Path[] = [
  ['information_schema', 'tables'],
  ['main', 'information_schema', 'columns'],
]
const POSTGRES: readonly Path[] = [
  ...['pg_class', 'pg_shadow', 'pg_authid', 'pg_stat_activity', 'pg_settings', 'pg_largeobject'].map((name) => [name]),
  ...['pg_catalog', 'pg_toast', 'pg_temp', 'pg_temp_3', 'pg_toast_temp_12'].map((schema) => [schema, 'anything']),
  ['public', 'pg_stat_statements'],
]

/** Of each engine, from its documentation. */
const SYSTEM: Readonly<Record<string, readonly Path[]>> = {
  duckdb: [
    ...STANDARD,
    ...['duckdb_settings', 'duckdb_secrets', 'pragma_database_list', 'sqlite_master', 'pg_tables'].map((name) => [name]),
    ...['duckdb_tables', 'sqlite_master'].map((name) => ['main', name]),
    ...['/etc/passwd', 's3://bucket/x', 'people.csv', 'people.csv.gz', 'people.parquet', 'x.avro', 'x.db', '*'].map((name) => [
      name,
    ]),
    ['system', 'main', 'duckdb_tables'],
    ['temp', 'orders'],
  ],
  postgres: [...STANDARD, ...POSTGRES],
  redshift: [
    ...STANDARD,
    ...POSTGRES,
    ...['stl_query', 'stv_sessions', 'svl_qlog', 'svv_table_info', 'svcs_query_summary', 'sys_query_history', 'stcs_sample'].map(
      (name) => [name],
    ),
    ['pg_internal', 'x'],
    ['catalog_history', 'x'],
  ],
  mysql: [
    ...STANDARD,
    ...['mysql', 'performance_schema', 'sys', 'ndbinfo'].map((schema) => [schema, 'user']),
    ['İnformation_schema', 'tables'],
  ],
  mariadb: [
    ...STANDARD,
    ...['mysql', 'performance_schema', 'sys'].map((schema) => [schema, 'user']),
    ['seq_1_to_100000000000'],
    ['shop', 'seq_1_to_9_step_2'],
  ],
  sqlite: [
    ...['sqlite_master', 'sqlite_schema', 'sqlite_temp_master', 'sqlite_dbpage', 'pragma_database_list', 'dbstat'].map((name) => [
      name,
    ]),
    ['temp', 'orders'],
    ['main', 'sqlite_master'],
  ],
  clickhouse: [
    ...STANDARD,
    ...['query_log', 'users', 'processes', 'one'].map((name) => ['system', name]),
    ['_temporary_and_external_tables', 'x'],
    ['/etc/passwd'],
  ],
  trino: [
    ...STANDARD,
    ['system', 'runtime', 'queries'],
    ['jmx', 'current', 'java.lang:type=runtime'],
    ...['files', 'partitions', 'snapshots', 'history'].map((name) => ['hive', 'sales', `orders$${name}`]),
  ],
  databricks: [
    ...STANDARD,
    ...['csv', 'text', 'json', 'parquet', 'orc', 'avro', 'delta', 'binaryFile', 'image', 'libsvm', 'xml', 'iceberg'].flatMap(
      (format) => [
        [format, '/etc/passwd'],
        [format, 'secret'],
        [format, 'dbfs:secret'],
        [format, 's3://bucket/x'],
      ],
    ),
    ['org.apache.spark.sql.execution.datasources.text.TextFileFormat', 'secret'],
    ['com.databricks.spark.csv', 'secret'],
    ['io.delta.sql.parser', 'secret'],
    ['global_temp', 'view_of_another'],
    ['system', 'access', 'audit'],
  ],
  snowflake: [
    ...STANDARD,
    ['SNOWFLAKE', 'ACCOUNT_USAGE', 'QUERY_HISTORY'],
    ['ACCOUNT_USAGE', 'QUERY_HISTORY'],
    ['ORGANIZATION_USAGE', 'ACCOUNTS'],
    ['@stage/file'],
    ['~'],
  ],
  bigquery: [
    ...STANDARD,
    ...['__TABLES__', '__TABLES_SUMMARY__', '__PARTITIONS_SUMMARY__'].map((name) => ['sales', name]),
    ['sales', 'orders$__PARTITIONS_SUMMARY__'],
    ['sales', 'INFORMATION_SCHEMA', 'TABLES'],
    ['region-us', 'INFORMATION_SCHEMA', 'JOBS'],
    ['_SESSION', 'scratch'],
  ],
  dremio: [
    ...STANDARD,
    ['sys', 'jobs'],
    ['sys', 'options'],
    ['$scratch', 'x'],
    ['__jobResultsStore', 'x'],
    ['__accelerator', 'x'],
  ],
}

const DATA: readonly Path[] = [
  ...['orders', 'Orders 2024', 'system', 'files', 'history', 'text', 'sequence', 'my_pg_class', 'seq_orders', 'größe'].map(
    (name) => [name],
  ),
  ...['sales', 'public', 'main', 'csv_files', 'temporary', 'systems', 'pgdata'].map((schema) => [schema, 'orders']),
  ['lake', 'csv', 'orders'],
  ['lake', 'delta', 'orders'],
  ['region-us', 'sales', 'orders'],
]

/** The same name in capitals, and with some of its dots within one part. */
function spelled(path: Path): readonly Path[] {
  const joined = path.length === 1 ? [] : [[path.join('.')], [path.slice(0, -1).join('.'), path.at(-1)!]]
  return [path, path.map((part) => part.toUpperCase()), ...joined]
}

const modelOver = (path: Path) => {
  const [code, schema, database] = path.toReversed()
  return {
    version: 1,
    dataObjects: { Things: { code, schema, database, columns: { V: { code: 'v', abstractType: 'string' } } } },
    dimensions: { V: { dataObject: 'Things', column: 'V' } },
  }
}

/** The codes of the errors of a model, with a space between them. */
const errorsOf = async (server: TestServer, path: Path): Promise<string> => {
  const { body } = await server.post('/v1/validate', { model_json: modelOver(path) })
  return body.errors.map(({ code }: { readonly code: string }) => code).join(' ')
}

const serving = (names: readonly string[], settings: Record<string, unknown> = {}) =>
  startRest({ plugins: names.map((name) => `@grainline/dialect-${name}`), settings: { MODEL_SQL: 'deny', ...settings } })

for (const [dialect, paths] of Object.entries(SYSTEM))
  t.test(`${dialect}: ${paths.length} names that are no data, and names of data`, async (t) => {
    const server = await serving([dialect])
    t.teardown(() => server.close())
    for (const path of paths.flatMap(spelled)) t.equal(await errorsOf(server, path), 'MODEL_SQL_DENIED', path.join(' | '))
    for (const path of DATA) t.equal(await errorsOf(server, path), '', path.join(' | '))
  })

t.test('with all dialects, the names of each are refused', async (t) => {
  const server = await serving(Object.keys(SYSTEM))
  t.teardown(() => server.close())
  for (const path of Object.values(SYSTEM).flat()) t.equal(await errorsOf(server, path), 'MODEL_SQL_DENIED', path.join(' | '))
  for (const path of DATA) t.equal(await errorsOf(server, path), '', path.join(' | '))
})

t.test('a listed schema of the data permits neither the metadata in it nor files, and the hint says what does', async (t) => {
  const schemas = ['sales', 'delta', 'public', 'information_schema']
  const server = await serving(Object.keys(SYSTEM), { MODEL_SCHEMAS: schemas })
  t.teardown(() => server.close())
  for (const path of [
    ['sales', '__TABLES__'],
    ['sales', 'orders$files'],
    ['public', 'pg_stat_statements'],
    ['delta', '/etc/passwd'],
    ['delta', 'dbfs:secret'],
  ])
    t.equal(await errorsOf(server, path), 'MODEL_SQL_DENIED', path.join(' | '))
  for (const path of [
    ['sales', 'orders'],
    ['delta', 'orders'],
    ['information_schema', 'tables'],
  ])
    t.equal(await errorsOf(server, path), '', path.join(' | '))
  const { body } = await server.post('/v1/validate', { model_json: modelOver(['sales', '__TABLES__']) })
  t.match(body.errors, [{ message: /'__TABLES__' is not a data table/, hint: /MODEL_FILES/ }])
})

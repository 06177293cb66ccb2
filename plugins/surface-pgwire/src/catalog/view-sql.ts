/** Restricts the catalogue of all relations to those that a connection sees, for one transaction. */
import type { CatalogRelation, CatalogView } from './catalog-view.js'

/** A relation in the catalogue. All of its objects have ids from `first` to `last`. */
export interface KeptRelation {
  readonly first: number
  readonly last: number
  readonly schema: number
  readonly table: number
}

/** The id of the connected database `postgres` (PostgreSQL, `pg_database.dat`). */
const CONNECTED = 5
const DATABASES_FROM = 9000

/**
 * Statements for a transaction that is rolled back. They delete what the connection may not see, and rename the rest to the names of this connection.
 * They change the system tables, so that functions such as `to_regclass` show the same as the tables.
 */
export function viewSql(view: CatalogView, keep: ReadonlyMap<string, KeptRelation>, role: string): string {
  const shown = new Map(view.relations.map((relation) => [relation.shape.key, relation]))
  const hidden = [...keep].filter(([key]) => !shown.has(key)).map(([, kept]) => kept)
  return [
    'SET LOCAL allow_system_table_mods = on',
    `UPDATE pg_catalog.pg_database SET datname = ${literal(view.database)} WHERE oid = ${CONNECTED}`,
    ...view.databases.filter((name) => name !== view.database).map(insertDatabase),
    ...hidden.flatMap(hide),
    ...named(shown, keep),
    'SET LOCAL allow_system_table_mods = off',
    `SET LOCAL ROLE ${role}`,
  ].join(';\n')
}

/** The relations of a schema are moved to the schema of the first one, which is then renamed. */
function named(shown: ReadonlyMap<string, CatalogRelation>, keep: ReadonlyMap<string, KeptRelation>): string[] {
  const schemas = new Map<string, KeptRelation>()
  return [...shown].flatMap(([key, { schema, table }]) => {
    const kept = keep.get(key)!
    const first = schemas.get(schema)
    schemas.set(schema, first ?? kept)
    return [...rename(kept, table), ...(first ? move(kept, first.schema) : [renameSchema(kept, schema)])]
  })
}

function hide({ first, last }: KeptRelation): string[] {
  const within = (column: string) => `${column} BETWEEN ${first} AND ${last}`
  return [
    `DELETE FROM pg_catalog.pg_description WHERE ${within('objoid')}`,
    `DELETE FROM pg_catalog.pg_attribute WHERE ${within('attrelid')}`,
    `DELETE FROM pg_catalog.pg_index WHERE ${within('indexrelid')}`,
    `DELETE FROM pg_catalog.pg_type WHERE ${within('oid')}`,
    `DELETE FROM pg_catalog.pg_class WHERE ${within('oid')}`,
    `DELETE FROM pg_catalog.pg_namespace WHERE ${within('oid')}`,
  ]
}

const renameSchema = ({ schema }: KeptRelation, name: string): string =>
  `UPDATE pg_catalog.pg_namespace SET nspname = ${literal(name)} WHERE oid = ${schema}`

function move({ schema, table }: KeptRelation, to: number): string[] {
  return [
    `UPDATE pg_catalog.pg_class SET relnamespace = ${to} WHERE oid = ${table}`,
    `UPDATE pg_catalog.pg_type SET typnamespace = ${to} WHERE typrelid = ${table}`,
    `UPDATE pg_catalog.pg_type SET typnamespace = ${to} WHERE oid = (SELECT typarray FROM pg_catalog.pg_type WHERE typrelid = ${table})`,
    `DELETE FROM pg_catalog.pg_namespace WHERE oid = ${schema}`,
  ]
}

function rename({ table }: KeptRelation, tableName: string): string[] {
  return [
    `UPDATE pg_catalog.pg_class SET relname = ${literal(tableName)} WHERE oid = ${table}`,
    `UPDATE pg_catalog.pg_type SET typname = ${literal(tableName)} WHERE typrelid = ${table}`,
    `UPDATE pg_catalog.pg_type SET typname = ${literal(`_${tableName}`)} WHERE oid = (SELECT typarray FROM pg_catalog.pg_type WHERE typrelid = ${table})`,
  ]
}

/** A copy of the row of the connected database, because other databases are only listed. */
function insertDatabase(name: string, index: number): string {
  return `INSERT INTO pg_catalog.pg_database SELECT (jsonb_populate_record(d, jsonb_build_object('oid', ${DATABASES_FROM + index}, 'datname', ${literal(name)}))).* FROM pg_catalog.pg_database d WHERE oid = ${CONNECTED}`
}

/** Quotes names and texts for PostgreSQL. */
export const identifier = (name: string): string => `"${name.replaceAll('\0', '').replaceAll('"', '""')}"`
export const literal = (text: string): string => `'${text.replaceAll('\0', '').replaceAll("'", "''")}'`

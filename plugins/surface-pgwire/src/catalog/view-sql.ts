/** Turns the catalogue that holds all relations into the one that a connection sees, for the time of a transaction. */
import type { CatalogRelation, CatalogView } from './catalog-view.js'

/** Where a relation is kept: everything made for it has an object id from `first` to `last`. */
export interface KeptRelation {
  readonly first: number
  readonly last: number
  readonly schema: number
  readonly table: number
}

/** `postgres`, the database that is connected to (PostgreSQL, `pg_database.dat`). */
const CONNECTED = 5
const DATABASES_FROM = 9000

/**
 * Statements for a transaction that is rolled back: what the connection may not see is deleted, what it sees gets the names that it has
 * for this connection. The catalogue's own tables are changed, so functions such as `to_regclass` know no more than the tables do.
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

/** Relations of one schema are created in the schema of the first of them. */
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

/** Another database, which is only listed: one row like that of the connected one. */
function insertDatabase(name: string, index: number): string {
  return `INSERT INTO pg_catalog.pg_database SELECT (jsonb_populate_record(d, jsonb_build_object('oid', ${DATABASES_FROM + index}, 'datname', ${literal(name)}))).* FROM pg_catalog.pg_database d WHERE oid = ${CONNECTED}`
}

/** Names and texts as PostgreSQL reads them. */
export const identifier = (name: string): string => `"${name.replaceAll('\0', '').replaceAll('"', '""')}"`
export const literal = (text: string): string => `'${text.replaceAll('\0', '').replaceAll("'", "''")}'`

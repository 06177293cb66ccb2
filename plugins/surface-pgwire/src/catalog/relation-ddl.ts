import type { CatalogColumn, RelationShape } from './catalog-view.js'
import { identifier, literal } from './view-sql.js'

/** The maximum number of columns of a table (PostgreSQL manual, "Limits"). */
const MOST_COLUMNS = 1600
/** PostgreSQL truncates longer names. */
const NAME_BYTES = 63
/** The system columns of every table. */
const SYSTEM = ['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid']

/** The statements that create a table of this shape and let a role read it. */
export function relationDdl({ comment, columns }: RelationShape, schema: string, table: string, role: string): string {
  const path = `${identifier(schema)}.${identifier(table)}`
  const shown = distinct(columns)
  return [
    `CREATE SCHEMA ${identifier(schema)}`,
    `CREATE TABLE ${path} (${shown.map(({ name, type }) => `${identifier(name)} ${type}`).join(', ')})`,
    `GRANT USAGE ON SCHEMA ${identifier(schema)} TO ${role}`,
    `GRANT SELECT ON ${path} TO ${role}`,
    ...commentsSql([comment, ...shown.map((column) => column.comment)], path),
  ].join(';\n')
}

/** One statement for all comments, the table's first: separate `COMMENT ON` statements would take most of the time. */
function commentsSql(comments: readonly (string | undefined)[], path: string): string[] {
  const table = `${literal(path)}::regclass`
  const rows = comments.flatMap((text, number) =>
    text === undefined || text === '' ? [] : [`(${table}, 'pg_class'::regclass, ${number}, ${literal(text)})`],
  )
  if (rows.length === 0) return []
  return [
    'SET allow_system_table_mods = on',
    `INSERT INTO pg_catalog.pg_description (objoid, classoid, objsubid, description) VALUES ${rows.join(', ')}`,
    'SET allow_system_table_mods = off',
  ]
}

/** The columns with names that PostgreSQL takes as distinct: it compares 63 bytes, and reserves some names. */
function distinct(columns: readonly CatalogColumn[]): CatalogColumn[] {
  const taken = new Set(SYSTEM)
  return columns
    .filter(({ name }) => {
      const counted = Buffer.from(name).subarray(0, NAME_BYTES).toString('utf8')
      const free = name !== '' && !taken.has(counted)
      taken.add(counted)
      return free
    })
    .slice(0, MOST_COLUMNS)
}

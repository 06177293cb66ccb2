import type { CatalogColumn, RelationShape } from './catalog-view.js'
import { identifier, literal } from './view-sql.js'

/** Most columns of a table (PostgreSQL, "Limits"). */
const MOST_COLUMNS = 1600
/** Bytes of a name that count. */
const NAME_BYTES = 63
/** Columns that every table has already. */
const SYSTEM = ['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid']

/** The statements that make a table of this shape, which a role may read. */
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

/** One statement for all comments, the table's first: `COMMENT ON` for each takes most of the time that the table takes. */
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

/** Column names that are distinct to PostgreSQL: names count up to 63 bytes, and some are reserved. */
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

import { type IntrospectedTable, recordsOf, type TextRow, tablesOf } from '@grainline/core/vendor'
import { ENFORCED, IS_EXACT } from './enforced-keys.js'

const VISIBLE = "n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'"

/** https://www.postgresql.org/docs/current/catalogs.html */
const COLUMNS = `
  SELECT n.nspname, c.relname, obj_description(c.oid, 'pg_class'), a.attname, format_type(a.atttypid, a.atttypmod),
    CAST(a.attnotnull AS TEXT), col_description(c.oid, a.attnum),
    CASE WHEN t.typtype = 'e' OR t.typcategory = 'S' THEN 'true' END
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_type t ON t.oid = a.atttypid
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND ${VISIBLE} AND has_table_privilege(c.oid, 'SELECT')
  ORDER BY n.nspname, c.relname, a.attnum`

const COLUMN = ['schema', 'table', 'comment', 'column', 'sqlType', 'required', 'note', 'isText'] as const

/** PostgreSQL 18 has keys of periods: their target has a period that contains the own one. */
const IS_EQUALITY = "to_jsonb(k) ->> 'conperiod' IS DISTINCT FROM 'true'"

const KEYS = `
  WITH RECURSIVE ${ENFORCED}
  SELECT n.nspname, c.relname, k.conname, CAST(k.contype AS TEXT), a.attname, fn.nspname, f.relname, fa.attname,
    CAST(k.oid IN (SELECT key FROM enforced) AND ${IS_EXACT} AS TEXT)
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS p(own, theirs, place)
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = p.own
  LEFT JOIN pg_class f ON f.oid = k.confrelid LEFT JOIN pg_namespace fn ON fn.oid = f.relnamespace
  LEFT JOIN pg_attribute fa ON fa.attrelid = f.oid AND fa.attnum = p.theirs
  WHERE (k.contype = 'p' OR k.contype = 'f' AND ${IS_EQUALITY}) AND k.conparentid = 0 AND ${VISIBLE}
  ORDER BY n.nspname, c.relname, k.conname, p.place`

const KEY = [
  'schema',
  'table',
  'constraint',
  'type',
  'column',
  'targetSchema',
  'targetTable',
  'targetColumn',
  'enforced',
] as const

/** Tables, views and foreign tables that may be read. */
export async function introspect(ask: (sql: string) => Promise<readonly TextRow[]>): Promise<readonly IntrospectedTable[]> {
  const columns = recordsOf(await ask(COLUMNS), COLUMN)
  const keys = recordsOf(await ask(KEYS), KEY)
  return tablesOf(
    columns.map(({ required, isText, ...column }) => ({ ...column, nullable: required !== 'true', isText: isText === 'true' })),
    keys.map((key) => ({ ...key, primary: key.type === 'p', enforced: key.enforced === 'true' })),
  )
}

import { type IntrospectedTable, recordsOf, type TextRow, tablesOf } from '@grainline/core/vendor'
import { BASE, MODIFIER } from './column-types.js'
import { ENFORCED, HAS_HEIRS, IS_EXACT } from './enforced-keys.js'

const VISIBLE = "n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'"

/** Bits and money are numbers by name only. https://www.postgresql.org/docs/current/catalogs.html */
const COLUMNS = `
  SELECT c.nspname, c.relname, obj_description(c.oid, 'pg_class'), c.attname, format_type(b.oid, ${MODIFIER}),
    CAST(c.attnotnull AS TEXT), col_description(c.oid, c.attnum),
    CASE WHEN b.typtype = 'e' OR b.typcategory = 'S' OR b.typname IN ('bit', 'varbit', 'money') THEN 'true' END,
    CASE WHEN c.relkind IN ('v', 'm') THEN 'true' END
  FROM (
    SELECT n.nspname, r.oid, r.relname, r.relkind, a.attnum, a.attname, a.attnotnull, a.atttypid AS type, a.atttypmod AS modifier
    FROM pg_class r JOIN pg_namespace n ON n.oid = r.relnamespace
    JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE r.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT r.relispartition AND ${VISIBLE} AND has_table_privilege(r.oid, 'SELECT')
  ) c ${BASE}
  ORDER BY c.nspname, c.relname, c.attnum`

const COLUMN = ['schema', 'table', 'comment', 'column', 'sqlType', 'required', 'note', 'isText', 'isView'] as const

/** The rows of tables that inherit are also rows of this one, and repeat its keys. */
const IS_WHOLE = `NOT ${HAS_HEIRS('COALESCE(f.oid, c.oid)')}`

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
  WHERE (k.contype = 'p' OR k.contype = 'f' AND ${IS_EQUALITY}) AND k.conparentid = 0 AND ${IS_WHOLE} AND ${VISIBLE}
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
    columns.map(({ required, isText, isView, ...column }) => ({
      ...column,
      nullable: required !== 'true',
      isText: isText === 'true',
      isView: isView === 'true',
    })),
    keys.map((key) => ({ ...key, primary: key.type === 'p', enforced: key.enforced === 'true' })),
  )
}

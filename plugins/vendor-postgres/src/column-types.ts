import { GrainlineError } from '@grainline/core'
import { type ArrivedColumn, recordsOf, type TextRow, type TypedColumn } from '@grainline/core/vendor'

/** The type of a column with its `type` and `modifier` is `b`, also under a domain and under a domain over one. */
export const BASE = `
  JOIN pg_type t ON t.oid = c.type LEFT JOIN pg_type d ON d.oid = t.typbasetype AND d.typtype = 'd'
  JOIN pg_type b ON b.oid = COALESCE(NULLIF(d.typbasetype, 0), NULLIF(t.typbasetype, 0), t.oid)`
export const MODIFIER =
  "CASE WHEN t.typtype <> 'd' THEN c.modifier WHEN COALESCE(d.typbasetype, 0) <> 0 THEN d.typtypmod ELSE t.typtypmod END"

/** Of `columns(name, type, modifier, collation)`: an enumeration is spelled with its labels. A collation is named where `=` is not by code point. */
const typed = (columns: string): string => `
  SELECT c.name,
    CASE WHEN b.typtype = 'e' THEN 'enum ' || b.typname || ' (' || (
      SELECT string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = b.oid
    ) || ')' ELSE format_type(b.oid, ${MODIFIER}) END,
    (SELECT l.collname FROM pg_collation l WHERE l.oid = c.collation AND NOT l.collisdeterministic)
  FROM (${columns}) c ${BASE}
  ORDER BY c.place`

/** The catalogue shows everyone every table: what the connection may not read is left out. https://www.postgresql.org/docs/current/catalogs.html */
const ofTable = (path: string): string =>
  typed(`SELECT a.attnum AS place, a.attname AS name, a.atttypid AS type, a.atttypmod AS modifier, a.attcollation AS collation
    FROM pg_attribute a WHERE a.attrelid = to_regclass('${path.replaceAll("'", "''")}') AND a.attnum > 0 AND NOT a.attisdropped
      AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')`)

const ofTypes = (columns: readonly ArrivedColumn[]): string => {
  const values = columns.map(
    ({ name, type }, i) => `(${i}, '${name.replaceAll("'", "''")}', CAST(${Number(type)} AS OID), -1, CAST(0 AS OID))`,
  )
  return typed(`SELECT * FROM (VALUES ${values.join(', ')}) AS v(place, name, type, modifier, collation)`)
}

/** The columns of tables as the catalogue has them; those of a SELECT as the server announces them. */
export async function columnTypes(
  sources: readonly string[],
  rows: (sql: string) => Promise<readonly TextRow[]>,
  columns: (sql: string) => Promise<readonly ArrivedColumn[]>,
): Promise<readonly (readonly TypedColumn[] | undefined)[]> {
  const of = async (source: string): Promise<readonly TypedColumn[] | undefined> => {
    try {
      const found = await rows(
        source.startsWith('(') ? ofTypes(await columns(`SELECT * FROM ${source} AS "described" LIMIT 0`)) : ofTable(source),
      )
      const typed = recordsOf(found, ['name', 'sqlType', 'collation']).map((column) => ({
        ...column,
        collation: column.collation || undefined,
      }))
      return typed.length === 0 ? undefined : typed
    } catch (error) {
      if (error instanceof GrainlineError && (error.code === 'DATABASE_ERROR' || error.code === 'UNSUPPORTED_FUNCTION'))
        return undefined
      throw error
    }
  }
  return Promise.all(sources.map(of))
}

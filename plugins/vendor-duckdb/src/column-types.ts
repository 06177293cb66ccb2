import { GrainlineError } from '@grainline/core'
import { recordsOf, type TypedColumn } from '@grainline/core/vendor'

/** Only the SQL text of the table shows the collation of a column. */
const COLLATED = /(?:"((?:[^"]|"")+)"|\b(\w+)) VARCHAR COLLATE (\w+)/gi

const NAMED = `SELECT sql FROM duckdb_tables() WHERE table_name = `

const COLUMN = ['name', 'sqlType'] as const

/** The columns of a relation after FROM, described by the database. https://duckdb.org/docs/stable/guides/meta/describe */
export async function columnTypes(
  sources: readonly string[],
  ask: (sql: string, columns: number) => Promise<readonly (readonly string[])[]>,
): Promise<readonly (readonly TypedColumn[] | undefined)[]> {
  const of = async (source: string): Promise<readonly TypedColumn[] | undefined> => {
    try {
      const columns = recordsOf(await ask(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${source})`, 2), COLUMN)
      const collations = source.startsWith('(') ? new Map<string, string>() : await collationsOf(source, ask)
      return columns.map((column) => ({ ...column, collation: collations.get(column.name) }))
    } catch (error) {
      if (error instanceof GrainlineError && (error.code === 'DATABASE_ERROR' || error.code === 'UNSUPPORTED_FUNCTION'))
        return undefined
      throw error
    }
  }
  return Promise.all(sources.map(of))
}

/** The collations of every table with the name. If only another table has one, comparing by code point changes nothing. */
async function collationsOf(
  source: string,
  ask: (sql: string, columns: number) => Promise<readonly (readonly string[])[]>,
): Promise<ReadonlyMap<string, string>> {
  const name = /(?<!")"((?:[^"]|"")*)"$/.exec(source)?.[1]?.replaceAll('""', '"') ?? source
  const tables = await ask(`${NAMED}'${name.replaceAll("'", "''")}'`, 1)
  const found = tables.flatMap(([sql]) => [...(sql ?? '').matchAll(COLLATED)])
  return new Map(found.map(([, quoted, plain = '', collation = '']) => [quoted?.replaceAll('""', '"') ?? plain, collation]))
}

/** What the author of a document may send to a database. Documents of an operator have no such limits. */
import { lastOf } from '../invariant.js'
import { shown } from '../nearest.js'
import type { TableSource } from './semantic-model.js'

export interface AuthorRights {
  /** Which SQL text is allowed as a table, and which functions outside the catalogue; `false` if none. */
  readonly sql: SqlOfAuthors | false
  /** Schemas that may be read, as documents name them; empty means all except those of the system. */
  readonly schemas: readonly string[]
  /** Those of every engine that may run queries of the document. */
  readonly system: readonly SystemNames[]
}

/** Checks SQL by its contents. */
export interface SqlOfAuthors {
  /** A statement as the table of a data object. */
  read(sql: string): ReadSql
  /** Why a function outside the catalogue must not be called; `undefined` if it may. */
  refusedFunction(name: string): string | undefined
}

/** The tables that a statement reads, or why it is refused. */
export type ReadSql =
  | { readonly refusal: string; readonly tables?: undefined }
  | { readonly refusal?: undefined; readonly tables: readonly PlainTable[] }

type PlainTable = TableSource & { readonly kind: 'table' }

/** The system objects of an engine. Names are compared without case. */
export interface SystemNames {
  /** Databases and schemas, in lower case. */
  readonly schemas: readonly string[]
  /** Tables and views that need no schema, and files that a name opens; in lower case. */
  readonly tables: RegExp | null
}

export const SQL_HINT = 'The operator may set MODEL_SQL=allow, or serve the model from a file (MODEL_FILES).'
export const LISTED_HINT =
  'The operator may list functions in MODEL_FUNCTIONS, or serve the model from a file (MODEL_FILES); a view of the database needs neither.'
const SCHEMA_HINT = 'The operator may list the schema in MODEL_SCHEMAS, or serve the model from a file (MODEL_FILES).'

/** Why the author must not read this, and what would change that; `undefined` if they may. */
export function refusedSource(
  source: TableSource,
  rights: AuthorRights,
): { readonly message: string; readonly hint: string } | undefined {
  if (source.kind === 'sql') return refusedSql(source.sql, rights)
  const message = refusedTable(source, rights)
  return message === undefined ? undefined : { message, hint: SCHEMA_HINT }
}

function refusedSql(sql: string, rights: AuthorRights): ReturnType<typeof refusedSource> {
  if (!rights.sql) return { message: 'A model that a client sends holds no SQL text (MODEL_SQL=deny)', hint: SQL_HINT }
  const { refusal, tables = [] } = rights.sql.read(sql)
  if (refusal !== undefined) return { message: `This SQL text of a client is not admitted: ${refusal}`, hint: LISTED_HINT }
  const [message] = tables.flatMap((table) => refusedTable(table, rights) ?? [])
  return message === undefined ? undefined : { message, hint: SCHEMA_HINT }
}

function refusedTable(table: PlainTable, { schemas, system }: AuthorRights): string | undefined {
  const written = [table.database, table.schema].filter((part) => part !== undefined)
  const listed = schemas.map((schema) => schema.toLowerCase())
  if (listed.length > 0) {
    if (listed.includes(written.join('.').toLowerCase()) && !table.name.includes('.')) return undefined
    if (written.length === 0) return `'${shown(table.name)}' names no schema, and MODEL_SCHEMAS lists those that may be read`
    return `The schema '${shown(written.join('.'))}' is not one of MODEL_SCHEMAS`
  }
  // Some engines read a name with dots as a path, so each part may be a schema.
  const path = [...written, table.name].flatMap((part) => part.toLowerCase().split('.'))
  const own = path.slice(0, -1).find((part) => system.some((names) => names.schemas.includes(part)))
  if (own !== undefined) return `'${shown(own)}' belongs to the database system`
  const name = table.name.toLowerCase()
  if (system.some((names) => names.tables?.test(name) || names.tables?.test(lastOf(path))))
    return `'${shown(table.name)}' is not a data table: the database gives this name a special meaning`
  return undefined
}

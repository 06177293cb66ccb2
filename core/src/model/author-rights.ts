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

/** The names that an engine does not use for data. The patterns are compared with names in lower case and without accents. */
export interface SystemNames {
  /** Its own databases and schemas. */
  readonly schemas: RegExp
  /** Its own tables and views in any schema, and files that a name opens without a schema; `null` if there are none. */
  readonly tables: RegExp | null
  /** Files that a schema and a name open together, with a dot between them; `null` if there are none. */
  readonly files: RegExp | null
}

export const SQL_HINT = 'The operator may set MODEL_SQL=allow, or serve the model from a file (MODEL_FILES).'
export const LISTED_HINT =
  'The operator may list functions in MODEL_FUNCTIONS, or serve the model from a file (MODEL_FILES); a view of the database needs neither.'
const NAME_HINT = 'The operator may serve the model from a file (MODEL_FILES), or create a view with another name.'
const SCHEMA_HINT = 'The operator may list the schema in MODEL_SCHEMAS, or serve the model from a file (MODEL_FILES).'

interface Refused {
  readonly message: string
  readonly hint: string
}

/** Why the author must not read this, and what would change that; `undefined` if they may. */
export function refusedSource(source: TableSource, rights: AuthorRights): Refused | undefined {
  if (source.kind === 'days' || source.kind === 'closure') return undefined
  return source.kind === 'sql' ? refusedSql(source.sql, rights) : refusedTable(source, rights)
}

function refusedSql(sql: string, rights: AuthorRights): Refused | undefined {
  if (!rights.sql) return { message: 'A model that a client sends holds no SQL text (MODEL_SQL=deny)', hint: SQL_HINT }
  const { refusal, tables = [] } = rights.sql.read(sql)
  if (refusal !== undefined) return { message: `This SQL text of a client is not admitted: ${refusal}`, hint: LISTED_HINT }
  return tables.map((table) => refusedTable(table, rights)).find((refused) => refused !== undefined)
}

/** Listing a schema of the data permits neither its files nor the tables that the system adds to it. */
function refusedTable(table: PlainTable, { schemas, system }: AuthorRights): Refused | undefined {
  const written = [table.database, table.schema].filter((part) => part !== undefined)
  // Some engines read a name with dots as a path, so each part may be a schema.
  const path = [...written, table.name].flatMap((part) => folded(part).split('.'))
  const own = path.slice(0, -1).find((part) => system.some((names) => names.schemas.test(part)))
  if (schemas.length > 0) {
    const unlisted = refusedByList(table.name, written.join('.'), schemas)
    if (unlisted !== undefined) return { message: unlisted, hint: SCHEMA_HINT }
    if (own !== undefined) return undefined
  }
  if (own !== undefined) return { message: `'${shown(own)}' belongs to the database system`, hint: SCHEMA_HINT }
  const [whole, ...names] = [path.join('.'), folded(table.name), lastOf(path)]
  if (schemas.length === 0 && system.some(({ files }) => files?.test(whole)))
    return { message: `'${shown(table.name)}' may be the name of a file, in a format that the schema names`, hint: SCHEMA_HINT }
  if (system.some(({ tables }) => names.some((name) => tables?.test(name))))
    return {
      message: `'${shown(table.name)}' is not a data table: the database gives this name a special meaning`,
      hint: NAME_HINT,
    }
  return undefined
}

function refusedByList(name: string, written: string, schemas: readonly string[]): string | undefined {
  if (schemas.some((schema) => schema.toLowerCase() === written.toLowerCase()) && !name.includes('.')) return undefined
  if (written === '') return `'${shown(name)}' names no schema, and MODEL_SCHEMAS lists those that may be read`
  return `The schema '${shown(written)}' is not one of MODEL_SCHEMAS`
}

/** Some engines fold more letters than JavaScript: `İ` may be `i`. */
const folded = (name: string): string => name.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase()

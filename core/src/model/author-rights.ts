/** What the author of a document may hand to a database. Of an operator nothing is asked: their documents are read without rights. */
import { shown } from '../nearest.js'
import type { TableSource } from './semantic-model.js'

export interface AuthorRights {
  /** SQL text as a table, and functions outside the catalogue. */
  readonly sql: boolean
  /** Schemas that may be read, as documents name them; empty means all but those of the system. */
  readonly schemas: readonly string[]
  /** Of every engine that a document may be asked on. */
  readonly system: readonly SystemNames[]
}

/** What belongs to an engine. Names are compared without case. */
export interface SystemNames {
  /** Databases and schemas, in lower case. */
  readonly schemas: readonly string[]
  /** Tables and views that need no schema in front, files that a name opens included; in lower case. */
  readonly tables: RegExp | null
}

export const SQL_HINT = 'The operator may set MODEL_SQL=allow, or serve the model from a file (MODEL_FILES).'
const SCHEMA_HINT = 'The operator may list the schema in MODEL_SCHEMAS, or serve the model from a file (MODEL_FILES).'

/** Why the author may not read this, and what would change that; `undefined` where they may. */
export function refusedSource(
  source: TableSource,
  rights: AuthorRights,
): { readonly message: string; readonly hint: string } | undefined {
  if (source.kind === 'sql')
    return rights.sql ? undefined : { message: 'A model that a client sends holds no SQL text (MODEL_SQL=deny)', hint: SQL_HINT }
  const message = refusedTable(source, rights)
  return message === undefined ? undefined : { message, hint: SCHEMA_HINT }
}

function refusedTable(table: TableSource & { kind: 'table' }, { schemas, system }: AuthorRights): string | undefined {
  const written = [table.database, table.schema].filter((part) => part !== undefined)
  const listed = schemas.map((schema) => schema.toLowerCase())
  if (listed.length > 0) {
    if (listed.includes(written.join('.').toLowerCase()) && !table.name.includes('.')) return undefined
    if (written.length === 0) return `'${shown(table.name)}' names no schema, and MODEL_SCHEMAS lists those that may be read`
    return `The schema '${shown(written.join('.'))}' is not one of MODEL_SCHEMAS`
  }
  // Some engines read a name with dots as a path, so that each part may be a schema.
  const path = [...written, table.name].flatMap((part) => part.toLowerCase().split('.'))
  const own = path.slice(0, -1).find((part) => system.some((names) => names.schemas.includes(part)))
  if (own !== undefined) return `'${shown(own)}' belongs to the database system`
  const name = table.name.toLowerCase()
  if (system.some((names) => names.tables?.test(name) || names.tables?.test(path.at(-1)!)))
    return `'${shown(table.name)}' is no table of the data: the database system gives it a meaning of its own`
  return undefined
}

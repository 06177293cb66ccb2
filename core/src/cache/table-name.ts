/**
 * Names of physical tables, of one to three parts. A missing part on one side matches any, and case never matters: whether it does in a
 * database depends on the quoting of the name. An answer that is removed unnecessarily costs a query; one that is kept wrongly is a wrong
 * number.
 */
import { declaredObjects, type SemanticModel, type TableSource } from '../model/semantic-model.js'

export interface TableName {
  readonly database?: string | undefined
  readonly schema?: string | undefined
  readonly name: string
}

const partsOf = ({ database, schema, name }: TableName): readonly (string | undefined)[] => [database, schema, name]

/** `database.schema.name`, from the given parts. */
export const spokenName = (table: TableName): string =>
  partsOf(table)
    .filter((part) => part !== undefined)
    .join('.')

/** One spelling for all cases, with empty parts for missing ones. */
export const foldedName = (table: TableName): string =>
  partsOf(table)
    .map((part) => encodeURIComponent((part ?? '').toLowerCase()).replaceAll('.', '%2E'))
    .join('.')

/** Whether two folded names may denote one table. */
export function mayBeSame(a: string, b: string): boolean {
  const [left, right] = [a.split('.'), b.split('.')]
  return left.every((part, index) => part === '' || right[index] === '' || part === right[index])
}

/** Represents the tables of a SELECT that a model contains as text. They are unknown, so they may be any tables. */
export const ANY_TABLE = '*'

/** The folded names of the tables of these objects, sorted, each once. */
export function tablesOf(objects: readonly string[], model: SemanticModel): readonly string[] {
  const sources = objects.flatMap((name) => sourcesOf(name, model))
  return [...new Set(sources.map((source) => (source.kind === 'table' ? foldedName(source) : ANY_TABLE)))].sort()
}

function sourcesOf(name: string, model: SemanticModel): readonly TableSource[] {
  const object = declaredObjects(model).get(name)
  if (!object) return []
  return object.nestedIn ? [object.source, ...sourcesOf(object.nestedIn.dataObject, model)] : [object.source]
}

/**
 * The names of the marks that a heartbeat for a table writes, and of those that a reader of a table checks. `*` represents a part that the
 * reader does not give, `~` one that the heartbeat does not give; the two lists have a common name exactly if `mayBeSame` is true.
 */
export const marksOf = (table: string): readonly string[] => [ANY_TABLE, ...combined(table, '*', ['~'])]
export const marksFor = (table: string): readonly string[] =>
  table === ANY_TABLE ? [ANY_TABLE] : combined(table, '~', ['*', '~'])

function combined(table: string, beside: string, unsaid: readonly string[]): readonly string[] {
  const [database = '', schema = '', name = ''] = table.split('.')
  const choices = (part: string): readonly string[] => (part === '' ? unsaid : [part, beside])
  return choices(database).flatMap((d) => choices(schema).map((s) => `${d}.${s}.${name}`))
}

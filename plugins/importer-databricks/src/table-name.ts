/** The name of a table, as a source gives it. */
import { type Part, Refused } from '@grainline/importer-dbt/foreign'
import { wordsOf } from './sql.js'

export interface TableName {
  readonly code: string
  readonly schema: string | undefined
  readonly database: string | undefined
}

const PART = '(?:`(?:[^`]|``)+`|[A-Za-z0-9_][\\w-]*)'
const PATH = `${PART}(?:\\s*\\.\\s*${PART}){0,2}`
const TABLE = new RegExp(`^(${PATH})$`)
const QUERY = new RegExp(`^SELECT\\s+\\*\\s+FROM\\s+(${PATH})(?:\\s+WHERE\\s([^]+))?$`, 'i')

/** A table, and the condition of a source that is a query of all its columns. Throws for another query. */
export function sourceOf(part: Part): { readonly table: TableName; readonly filter: string | undefined } {
  const written = part.needed('source').trim().replace(/;$/, '').trimEnd()
  const table = TABLE.exec(written)?.[1]
  const [, from = '', filter] = QUERY.exec(written) ?? []
  if (table === undefined && from === '')
    throw new Refused(
      /^(SELECT|WITH)\s/i.test(written)
        ? 'The source is a query.'
        : `The source '${written.slice(0, 80)}' is no name of a table.`,
      part.at('source'),
      'Write the name of a table or view, or SELECT * FROM table WHERE condition. Make a view of another query.',
    )
  const words = wordsOfPath(table ?? from)
  const [code = '', schema, database] = words.toReversed()
  // Such a code is a query in a model.
  if (/^\s*(\(|select\s)/i.test(code))
    throw new Refused(`'${code.slice(0, 80)}' is no name of a table here.`, part.at('source'), 'Rename it.')
  return { table: { code, schema, database }, filter }
}

const wordsOfPath = (path: string): readonly string[] =>
  [...path.matchAll(new RegExp(PART, 'g'))].flatMap(([word]) => (word.startsWith('`') ? wordsOf(word) : [word]))

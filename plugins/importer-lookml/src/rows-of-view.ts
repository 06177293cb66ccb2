/** The rows of a view: those of a table, or those of a table that meet a condition. */
import {
  columnWords,
  type Draft,
  type Entry,
  LeftOut,
  markedExpression,
  markedText,
  type Owner,
  type Part,
  type Place,
  physical,
  quoted,
  rowReading,
  SqlFault,
  type SqlReader,
  tableOf,
  type Use,
} from '@grainline/importer-dbt/foreign'
import { type Role, WORDS } from './context.js'
import { refuseLiquid } from './liquid.js'
import { quotedAsSql } from './references.js'
import type { LookView } from './views.js'

export interface RowsOfView {
  readonly table: Entry
  readonly where: Condition | undefined
}

interface Condition {
  readonly sql: string
  /** How the condition may call the table. */
  readonly alias: string
  readonly place: Place
}

const HINT = 'Create a view with this query in the database, and write sql_table_name.'

/** Throws `LeftOut` for rows of several tables, or that are computed. */
export function rowsOfView({ name, part }: LookView, draft: Draft, sql: SqlReader): RowsOfView {
  const [derived] = part.has('derived_table') ? part.parts('derived_table') : []
  if (derived) return ofQuery(name, derived, draft, sql)
  const written = part.text('sql_table_name') ?? name
  refuseLiquid(written, 'sql_table_name', part)
  const table = tableOf(written.trim())
  if (!table) throw new LeftOut(`'${written.slice(0, 60)}' is no table`, part.at('sql_table_name'), HINT)
  return { table, where: undefined }
}

/** The table, its alias, and the condition. */
const SELECT =
  /^select\s[^;]{1,5000}?\sfrom\s{1,99}([^\s;]{1,400})(?:\s{1,99}(?:as\s{1,99})?(?!where\b)(\w{1,128}))?(?:\s{1,99}where\s([\s\S]*))?$/i

function ofQuery(name: string, part: Part, draft: Draft, reader: SqlReader): RowsOfView {
  if (!part.has('sql')) throw new LeftOut('its derived_table is no SQL', part.place, HINT)
  const [place, text] = [part.at('sql'), part.needed('sql')]
  refuseLiquid(text, 'sql', part)
  const query = text.trim().replace(/\s{0,99};$/, '')
  const [, path = '', alias, sql] = SELECT.exec(query) ?? []
  const table = tableOf(path)
  if (!table || !isOfRows(quotedAsSql(query), reader))
    throw new LeftOut('its derived_table is a query, and no table', place, HINT)
  if (sql === undefined) draft.lose('rewritten', `The query of '${name}' is its table.`, place)
  return { table, where: sql === undefined ? undefined : { sql, alias: alias ?? String(table['code']), place } }
}

/** Whether a query has the rows of one table, with all its columns or with some under their own names. */
function isOfRows(query: string, reader: SqlReader): boolean {
  try {
    const { items, having, groups, order, limit } = reader.select(query)
    const isOwn = items.every(({ node, alias }) => {
      const column = columnWords(node)?.at(-1)
      return column !== undefined && (alias === undefined || alias === column)
    })
    return isOwn && having.length + groups.length + order.length === 0 && limit === undefined
  } catch (error) {
    if (error instanceof LeftOut || error instanceof SqlFault) return false
    throw error
  }
}

/** Adds the condition of a view to its columns, and returns the name of that column. */
export function conditionOf(where: Condition, owner: Owner, draft: Draft, sql: SqlReader): string {
  const { place } = where
  const expression = placed(place, () => expressionOf(where, owner, sql))
  const column = `${owner.name} (rows)`
  owner.columns[column] = { expression: `(${expression} AND TRUE)` }
  draft.places.push({ path: ['dataObjects', owner.name, 'columns', column], place })
  draft.noteDivision(expression, owner.name, place)
  draft.lose('rewritten', `The condition in the query of '${owner.name}' is a filter of the model on its rows.`, place)
  return column
}

/** The condition in the grammar of the model. It has columns of the table, and no fields. */
function expressionOf(where: Condition, owner: Owner, sql: SqlReader): string {
  const { place } = where
  const none = () => {
    throw new LeftOut('its condition reads fields of the text', place, HINT)
  }
  const marked = markedText(quotedAsSql(where.sql), /\$\{([^{}]*)\}/g, none, {
    from: { ...owner, name: where.alias },
    ...{ words: WORDS, place },
  })
  const rows = rowReading<Owner>(none)
  const reading = { ...rows, column: (_table: Owner, code: string, use: Use) => quoted(owner, physical(code, owner, use)) }
  return markedExpression(marked, reading, { sql }, 'boolean')
}

/** What a condition cannot say has its place. */
function placed<T>(place: Place, step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (error instanceof LeftOut || error instanceof SqlFault) throw new LeftOut(error.message, place, HINT)
    throw error
  }
}

/** The filters of the model that keep the rows of views. */
export const filtersOf = (roles: ReadonlyMap<string, Role>): readonly Entry[] =>
  [...roles.values()].flatMap(({ name, condition }) =>
    condition === undefined ? [] : [{ dataObject: name, column: condition, operator: 'equals', value: true }],
  )

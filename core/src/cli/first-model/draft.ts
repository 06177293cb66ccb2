import type { IntrospectedColumn, IntrospectedTable } from '../../execute/introspection.js'
import { type DataType, parseDataType, STRING } from '../../model/data-type.js'
import { titled, wordsOf } from './words.js'

/** A table with the names that people read. */
export interface DraftTable {
  readonly label: string
  readonly words: readonly string[]
  readonly table: IntrospectedTable
  readonly columns: readonly DraftColumn[]
}

export interface DraftColumn {
  readonly label: string
  /** Without the short prefix that all columns of the table share, as in `l_orderkey`. */
  readonly words: readonly string[]
  readonly name: string
  readonly sqlType: string
  /** `undefined` for values that the model has no type for. */
  readonly type: DataType | undefined
  readonly comment: string | undefined
}

/** A column of a table. */
export interface ColumnAt {
  readonly table: DraftTable
  readonly column: DraftColumn
}

export function draftTables(tables: readonly IntrospectedTable[]): readonly DraftTable[] {
  const taken = new Set<string>()
  return tables.map((table) => {
    const words = wordsOf(table.name)
    const plain = titled(words)
    const shared = tables.some((other) => other !== table && titled(wordsOf(other.name)) === plain)
    const label = unused(shared && table.schema ? `${titled(wordsOf(table.schema))} ${plain}` : plain, taken)
    return { label, words, table, columns: draftColumns(table) }
  })
}

function draftColumns({ name, columns }: IntrospectedTable): readonly DraftColumn[] {
  const prefix = sharedPrefix(columns, wordsOf(name))
  const taken = new Set<string>()
  return columns.map((column) => {
    const all = wordsOf(column.name)
    const words = prefix && all.length > 1 ? all.slice(1) : all
    return {
      label: unused(titled(words), taken),
      words,
      name: column.name,
      sqlType: column.sqlType,
      type: typeOf(column),
      comment: column.comment,
    }
  })
}

/** `l_` of `l_orderkey`, `l_tax`: short, on every column, and no word of the table. */
function sharedPrefix(columns: readonly IntrospectedColumn[], table: readonly string[]): boolean {
  const first = columns.map(({ name }) => /^(\w{1,4}?)_./.exec(name)?.[1]?.toLowerCase())
  return columns.length > 1 && first[0] !== undefined && !table.includes(first[0]) && first.every((word) => word === first[0])
}

function typeOf({ sqlType, isText = false }: IntrospectedColumn): DataType | undefined {
  return parseDataType(sqlType) ?? (isText || /^(?:enum|set)\s*\(/i.test(sqlType) ? STRING : undefined)
}

/** The name, or the name with the first number that makes it differ from all others, in whatever case. Notes it as taken. */
export function unused(name: string, taken: Set<string>): string {
  let free = name
  for (let i = 2; taken.has(free.toLowerCase()); i++) free = `${name} ${i}`
  taken.add(free.toLowerCase())
  return free
}

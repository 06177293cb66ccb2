import type { IntrospectedColumn, IntrospectedTable } from '../../execute/introspection.js'
import {
  BOOLEAN,
  DATE,
  type DataType,
  FLOAT,
  INT,
  JSON_TYPE,
  parseDataType,
  STRING,
  TIME,
  TIMESTAMP,
  TIMESTAMP_TZ,
} from '../../model/data-type.js'
import { type PhysicalKind, parsePhysicalType } from '../../model/physical-type.js'
import { titled, wordsOf } from './words.js'

/** A table with readable names. */
export interface DraftTable {
  readonly label: string
  readonly words: readonly string[]
  readonly table: IntrospectedTable
  readonly columns: readonly DraftColumn[]
  /** Columns of types that a model cannot read. */
  readonly unread: readonly IntrospectedColumn[]
}

export interface DraftColumn {
  readonly label: string
  /** Without the short prefix that all columns of the table share, as in `l_orderkey`. */
  readonly words: readonly string[]
  readonly name: string
  readonly sqlType: string
  /** `undefined` for types that the model does not have. */
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
    const unread = table.columns.filter(isUnreadable)
    // A data object has at least one column.
    const isRead = unread.length < table.columns.length
    const columns = isRead ? table.columns.filter((column) => !unread.includes(column)) : table.columns
    return { label, words, table, columns: draftColumns({ ...table, columns }), unread: isRead ? unread : [] }
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

/** `l_` of `l_orderkey`, `l_tax`: short, on every column, and not a word of the table's name. */
function sharedPrefix(columns: readonly IntrospectedColumn[], table: readonly string[]): boolean {
  const first = columns.map(({ name }) => /^(\w{1,4}?)_./.exec(name)?.[1]?.toLowerCase())
  return columns.length > 1 && first[0] !== undefined && !table.includes(first[0]) && first.every((word) => word === first[0])
}

function typeOf({ sqlType, isText = false }: IntrospectedColumn): DataType | undefined {
  const kind = parsePhysicalType(sqlType)?.kind
  const stored = kind && READ_AS[kind]
  return parseDataType(sqlType) ?? stored ?? (isText || /^set\s*\(/i.test(sqlType) ? STRING : undefined)
}

/** The declared type for each stored type; `undefined` if none fits. */
const READ_AS: Readonly<Record<PhysicalKind, DataType | undefined>> = {
  integer: INT,
  real: FLOAT,
  double: FLOAT,
  decimal: FLOAT,
  text: STRING,
  padded: STRING,
  folded: STRING,
  uuid: STRING,
  enum: STRING,
  boolean: BOOLEAN,
  date: DATE,
  time: TIME,
  timestamp: TIMESTAMP,
  timestamp_tz: TIMESTAMP_TZ,
  json: JSON_TYPE,
  bytes: undefined,
  interval: undefined,
  list: undefined,
}

/** For bytes, intervals and lists. Other types without an equivalent, such as `inet` or `geometry`, are read as text. */
function isUnreadable({ sqlType }: IntrospectedColumn): boolean {
  const kind = parsePhysicalType(sqlType)?.kind
  return kind !== undefined && READ_AS[kind] === undefined && parseDataType(sqlType) === undefined
}

/** The name, or the name with the first number that makes it unique, ignoring case. Registers it as used. */
export function unused(name: string, taken: Set<string>): string {
  let free = name
  for (let i = 2; taken.has(free.toLowerCase()); i++) free = `${name} ${i}`
  taken.add(free.toLowerCase())
  return free
}

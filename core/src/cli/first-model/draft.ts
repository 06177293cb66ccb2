import type { IntrospectedColumn, IntrospectedTable } from '../../execute/introspection.js'
import {
  BOOLEAN,
  DATE,
  type DataType,
  decimal,
  FLOAT,
  INT,
  JSON_TYPE,
  MAX_PRECISION,
  parseDataType,
  STRING,
  TIME,
  TIMESTAMP,
  TIMESTAMP_TZ,
} from '../../model/data-type.js'
import { type PhysicalKind, type PhysicalType, parsePhysicalType } from '../../model/physical-type.js'
import { SECRETS } from './vocabulary.js'
import { ID_WORDS, titled, wordsOf } from './words.js'

/** A table with readable names. */
export interface DraftTable {
  readonly label: string
  readonly words: readonly string[]
  readonly table: IntrospectedTable
  readonly columns: readonly DraftColumn[]
  /** Columns of types that a model cannot read. */
  readonly unread: readonly IntrospectedColumn[]
  /** Columns of passwords and tokens. */
  readonly secret: readonly IntrospectedColumn[]
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

/** The tables of which a model can read a column. */
export function draftTables(tables: readonly IntrospectedTable[]): readonly DraftTable[] {
  const taken = new Set<string>()
  const keys = keyColumns(tables)
  return tables.flatMap((table) => {
    const secret = table.columns.filter((column) => isSecret(column, table, keys))
    const unread = table.columns.filter((column) => isUnreadable(column) && !secret.includes(column))
    if (unread.length + secret.length === table.columns.length) return []
    const words = wordsOf(table.name)
    const plain = titled(words)
    const shared = tables.some((other) => other !== table && titled(wordsOf(other.name)) === plain)
    const label = unused(shared && table.schema ? `${titled(wordsOf(table.schema))} ${plain}` : plain, taken)
    const columns = table.columns.filter((column) => !unread.includes(column) && !secret.includes(column))
    return [{ label, words, table, columns: draftColumns({ ...table, columns }, keys), unread, secret }]
  })
}

/** A password or a token by its name; never a key, which joins need. */
const isSecret = ({ name }: IntrospectedColumn, table: IntrospectedTable, keys: ReadonlySet<string>): boolean =>
  SECRETS.has(wordsOf(name).at(-1)?.toLowerCase() ?? '') && !keys.has(placeOf(table.schema, table.name, name))

/** The columns of keys that the database declares. */
const keyColumns = (tables: readonly IntrospectedTable[]): ReadonlySet<string> =>
  new Set(
    tables.flatMap(({ schema, name, primaryKey, foreignKeys }) => [
      ...[...primaryKey, ...foreignKeys.flatMap(({ columns }) => columns)].map((column) => placeOf(schema, name, column)),
      ...foreignKeys.flatMap(({ target, targetColumns }) =>
        targetColumns.map((column) => placeOf(target.schema ?? schema, target.name, column)),
      ),
    ]),
  )

const placeOf = (...names: readonly (string | undefined)[]): string => JSON.stringify(names)

function draftColumns({ schema, name, columns }: IntrospectedTable, keys: ReadonlySet<string>): readonly DraftColumn[] {
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
      type: typeOf(column, keys.has(placeOf(schema, name, column.name)) || ID_WORDS.has(words.at(-1) ?? '')),
      comment: column.comment,
    }
  })
}

/** `l_` of `l_orderkey`, `l_tax`: short, on every column, and not a word of the table's name. */
function sharedPrefix(columns: readonly IntrospectedColumn[], table: readonly string[]): boolean {
  const first = columns.map(({ name }) => /^(\w{1,4}?)_./.exec(name)?.[1]?.toLowerCase())
  return columns.length > 1 && first[0] !== undefined && !table.includes(first[0]) && first.every((word) => word === first[0])
}

function typeOf({ sqlType, isText = false }: IntrospectedColumn, isKey: boolean): DataType | undefined {
  if (isText) return STRING
  const physical = parsePhysicalType(sqlType)
  if (physical?.kind === 'decimal') return decimalOf(physical, isKey)
  const stored = physical && READ_AS[physical.kind]
  return parseDataType(sqlType) ?? stored ?? (/^set\s*\(/i.test(sqlType) ? STRING : undefined)
}

/** The digits that the database declares. If it declares none, a key is whole; another number may have any, as does one with more than fit. */
function decimalOf({ precision, scale = 0 }: PhysicalType, isKey: boolean): DataType {
  if (precision === undefined) return isKey ? decimal(MAX_PRECISION, 0) : FLOAT
  return precision <= MAX_PRECISION && scale >= 0 && scale <= precision ? decimal(precision, scale) : FLOAT
}

/** A decimal that becomes a double. */
export const isRounded = ({ sqlType, type }: DraftColumn): boolean =>
  type?.kind === 'float' && parsePhysicalType(sqlType)?.kind === 'decimal'

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

/** Types without an equivalent, such as `inet`, are read as text; these are not. */
function isUnreadable({ sqlType, isText, isBinary }: IntrospectedColumn): boolean {
  if (isText) return false
  if (isBinary || OTHERS.test(sqlType)) return true
  const kind = parsePhysicalType(sqlType)?.kind
  return kind !== undefined && READ_AS[kind] === undefined && parseDataType(sqlType) === undefined
}

/** Several bits are no truth value, and a time of a zone is more than one of a day. */
const OTHERS = /^(bit\s*\((?!1\))|timetz|time(\s*\(\d\))? with time zone)/i

/** The name, or the name with the first number that makes it unique, ignoring case. Registers it as used. */
export function unused(name: string, taken: Set<string>): string {
  let free = name
  for (let i = 2; taken.has(free.toLowerCase()); i++) free = `${name} ${i}`
  taken.add(free.toLowerCase())
  return free
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import { GrainlineError } from '../errors.js'
import { messageOf } from '../invariant.js'
import { formatDataType } from '../model/data-type.js'
import { importedPlaces } from '../model/imported-places.js'
import type { Imported, Loss } from '../model/importer.js'
import { comparedOf } from '../model/join-term.js'
import type { PhysicalKind } from '../model/physical-type.js'
import type { Column, DataObject, SemanticModel } from '../model/semantic-model.js'
import type { PhysicalColumn } from '../model/stored-column.js'
import type { Dialect } from '../sql/dialect.js'
import { isReadable, physicalType } from '../sql/stored-as.js'
import { defaultDialect } from './choose-dialect.js'
import type { PhysicalCatalogue } from './physical-types.js'
import type { ServiceDeps } from './service-deps.js'

type Document = Imported['document']

/** A document with types from the database, and what the text says otherwise. */
interface Typed {
  readonly document: Document
  readonly losses: readonly Loss[]
}

/**
 * The document with types from the database for columns without one, and for those that are declared of a type as which they cannot be read. The
 * best first: for all of them, and for those of joins alone. Empty if there is none to add. Throws if the database cannot be read.
 */
export type TypedByDatabase = (imported: Imported, model: SemanticModel, client?: string) => Promise<readonly Typed[]>

interface Deps extends Pick<ServiceDeps, 'dialects' | 'vendors' | 'settings'> {
  readonly physical: PhysicalCatalogue
}

/**
 * Texts of other products often say no types of keys, or that of their labels, and their servers ask the database. So does this one: a column
 * without a type is a text only where no database says otherwise.
 */
export const typedByDatabase =
  ({ physical, dialects, vendors, settings }: Deps): TypedByDatabase =>
  async ({ document, places }, model, client) => {
    const dialect = defaultDialect(model, { dialects, vendors, vendor: settings.DB_VENDOR })
    const joins = joined(model)
    const columns = [...model.dataObjects.values()].flatMap((object) => columnsOf(object, joins))
    if (dialect === undefined || columns.length === 0) return []
    const { types, unread } = await physical.read(model, dialect, client === undefined ? undefined : () => client)
    if (unread !== undefined && columns.some(({ isTyped }) => !isTyped)) throw unreadTypes(unread)
    if (typeof types === 'string') return []
    await nextTurn()
    const finders = new Map([...model.dataObjects.keys()].map((object) => [object, columnFinder(types.get(object))]))
    const all = columns.flatMap((column) => foundFor(column, finders.get(column.object)?.(column.code), dialect))
    const some = all.filter(({ isJoined }) => isJoined)
    const placeOf = importedPlaces(all.some(({ isTyped }) => isTyped) ? places : [])
    return [all, ...(some.length < all.length ? [some] : [])]
      .filter((found) => found.length > 0)
      .map((found) => ({ document: withTypes(document, found), losses: found.flatMap((each) => lossOf(each, placeOf)) }))
  }

/** Questions over columns that are read as texts, and are none, would be refused until the model is loaded again. */
function unreadTypes(cause: unknown): GrainlineError {
  const code = cause instanceof GrainlineError ? cause.code : 'DATABASE_ERROR'
  return new GrainlineError(code, `The types of columns are those of the database, which cannot be read: ${messageOf(cause)}`, {
    cause,
    hint: 'Load the model again when the database can be reached, or give the columns their types in the text.',
  })
}

/** A column of a table whose type the database may say. */
interface Asked extends Pick<Column, 'isTyped' | 'type'> {
  readonly object: string
  readonly column: string
  readonly code: string
  readonly isJoined: boolean
}

/** The type of a column, in the words of a document. */
interface Found extends Asked {
  readonly sqlType: string
  readonly entry: TypeEntry
}

/** Columns without a type; texts, because products call a key a text to show it so; and columns of joins. */
const columnsOf = ({ name: object, columns }: DataObject, joins: ReadonlySet<string>): readonly Asked[] =>
  [...columns.values()].flatMap(({ name: column, source, isTyped, type, sqlType, trueValues }) => {
    const isJoined = joins.has(keyOf(object, column))
    const isOpen = (isJoined || !isTyped || type.kind === 'string') && sqlType === undefined && !trueValues
    if (source.kind !== 'physical' || !isOpen) return []
    return [{ object, column, code: source.code, isTyped, type, isJoined }]
  })

function foundFor(asked: Asked, stored: PhysicalColumn | undefined, dialect: Dialect): readonly Found[] {
  const sqlType = stored?.sqlType
  if (sqlType === undefined || (asked.isTyped && isReadable(sqlType, asked.type, dialect))) return []
  const entry = declaredTypeOf(sqlType, dialect)
  return entry.abstractType === 'string' && asked.type.kind === 'string' ? [] : [{ ...asked, sqlType, entry }]
}

/** Of a column without a type, the list of the importer says so already. */
function lossOf(
  { object, column, isTyped, type, sqlType, entry }: Found,
  placeOf: ReturnType<typeof importedPlaces>,
): readonly Loss[] {
  if (!isTyped) return []
  const path = ['dataObjects', object, 'columns', column]
  const place = placeOf(path)
  const message = `'${column}' of '${object}' is read as ${entry.abstractType}, because the database stores it as ${sqlType}. The text says ${formatDataType(type)}.`
  return [{ kind: 'rewritten', message, path, ...(place && { place }) }]
}

/** The columns that joins compare. */
const joined = ({ dataObjects }: SemanticModel): ReadonlySet<string> =>
  new Set(
    [...dataObjects.values()].flatMap(({ joins }) =>
      joins.flatMap(({ from, to, on }) => [
        ...comparedOf(on, 'from').map((column) => keyOf(from, column)),
        ...comparedOf(on, 'to').map((column) => keyOf(to, column)),
      ]),
    ),
  )

/** Only what changes is copied: a document may have tens of thousands of columns. */
function withTypes(document: Document, found: readonly Found[]): Document {
  const objects = document['dataObjects'] as Readonly<Record<string, ObjectEntry>>
  const types = new Map(found.map(({ object, column, entry }) => [keyOf(object, column), entry]))
  const changed = new Set(found.map(({ object }) => object))
  const typed = ([name, entry]: [string, ObjectEntry]): [string, ObjectEntry] => {
    if (!changed.has(name)) return [name, entry]
    const columns = Object.entries(entry.columns ?? {}).map(([column, each]) => [
      column,
      { ...each, ...types.get(keyOf(name, column)) },
    ])
    return [name, { ...entry, columns: Object.fromEntries(columns) }]
  }
  return { ...document, dataObjects: Object.fromEntries(Object.entries(objects).map(typed)) }
}

const keyOf = (object: string, column: string): string => `${object}\0${column}`

interface ObjectEntry {
  readonly columns?: Readonly<Record<string, object>>
}

/** Finds a column of a table. Texts of products that fold names spell them otherwise than the database lists them. */
function columnFinder(columns: ReadonlyMap<string, PhysicalColumn> = new Map()): (code: string) => PhysicalColumn | undefined {
  const folded = new Map<string, PhysicalColumn | undefined>()
  for (const [name, column] of columns) {
    const key = name.toLowerCase()
    folded.set(key, folded.has(key) ? undefined : column)
  }
  return (code) => columns.get(code) ?? folded.get(code.toLowerCase())
}

interface TypeEntry {
  readonly abstractType: string
  readonly sqlType?: string
}

/** What an author would declare. */
function declaredTypeOf(sqlType: string, dialect: Dialect): TypeEntry {
  const physical = physicalType(sqlType, dialect)
  if (physical?.kind === 'decimal' && physical.precision !== undefined)
    return { abstractType: 'float', sqlType: `decimal(${physical.precision}, ${physical.scale ?? 0})` }
  return { abstractType: (physical && TYPES[physical.kind]) ?? 'string' }
}

/** The types that no text is read from. */
const TYPES: Readonly<Partial<Record<PhysicalKind, string>>> = {
  integer: 'int',
  real: 'float',
  double: 'float',
  decimal: 'float',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  timestamp_tz: 'timestamp_tz',
}

import type { Imported } from '../model/importer.js'
import { comparedOf } from '../model/join-term.js'
import type { PhysicalKind } from '../model/physical-type.js'
import type { DataObject, SemanticModel } from '../model/semantic-model.js'
import type { PhysicalColumn, PhysicalTypes } from '../model/stored-column.js'
import type { Dialect } from '../sql/dialect.js'
import { physicalType } from '../sql/stored-as.js'
import { defaultDialect } from './choose-dialect.js'
import type { PhysicalCatalogue } from './physical-types.js'
import type { ServiceDeps } from './service-deps.js'

type Document = Imported['document']

/**
 * The document with types from the database for columns without one, the best first: for all of them, and for those of joins alone. Empty if there is
 * none to add.
 */
export type TypedByDatabase = (document: Document, model: SemanticModel, client?: string) => Promise<readonly Document[]>

interface Deps extends Pick<ServiceDeps, 'dialects' | 'vendors' | 'settings'> {
  readonly physical: PhysicalCatalogue
}

/**
 * Texts of other products often say no types of keys, and their servers ask the database. So does this one: a column without a type is a
 * text only where no database says otherwise.
 */
export const typedByDatabase =
  ({ physical, dialects, vendors, settings }: Deps): TypedByDatabase =>
  async (document, model, client) => {
    if (![...model.dataObjects.values()].some((object) => untypedCodes(object).length > 0)) return []
    const dialect = defaultDialect(model, { dialects, vendors, vendor: settings.DB_VENDOR })
    const { types } = dialect ? await physical.read(model, dialect, client === undefined ? undefined : () => client) : NOTHING
    if (dialect === undefined || typeof types === 'string') return []
    const all = typesOf(model, { types, dialect })
    const ofJoins = joined(model)
    const some = all.filter(({ object, column }) => ofJoins.has(`${object}\0${column}`))
    return [all, ...(some.length < all.length ? [some] : [])]
      .filter((found) => found.length > 0)
      .map((found) => withTypes(document, found))
  }

const NOTHING = { types: 'unknown' } as const

interface Stored {
  readonly types: PhysicalTypes
  readonly dialect: Dialect
}

/** The type of a column, in the words of a document. */
interface Found {
  readonly object: string
  readonly column: string
  readonly type: object
}

const typesOf = ({ dataObjects }: SemanticModel, { types, dialect }: Stored): readonly Found[] =>
  [...dataObjects.values()].flatMap((object) =>
    untypedCodes(object).flatMap(([column, code]) => {
      const sqlType = storedColumn(code, types.get(object.name))?.sqlType
      const type = sqlType === undefined ? undefined : declaredTypeOf(sqlType, dialect)
      return type ? [{ object: object.name, column, type }] : []
    }),
  )

/** The columns that joins compare. */
const joined = ({ dataObjects }: SemanticModel): ReadonlySet<string> =>
  new Set(
    [...dataObjects.values()].flatMap(({ joins }) =>
      joins.flatMap(({ from, to, on }) => [
        ...comparedOf(on, 'from').map((column) => `${from}\0${column}`),
        ...comparedOf(on, 'to').map((column) => `${to}\0${column}`),
      ]),
    ),
  )

function withTypes(document: Document, found: readonly Found[]): Document {
  const copy = structuredClone(document) as { readonly dataObjects?: Record<string, { columns?: Record<string, object> }> }
  for (const { object, column, type } of found) Object.assign(copy.dataObjects?.[object]?.columns?.[column] ?? {}, type)
  return copy as Document
}

/** Texts of products that fold names spell them otherwise than the database lists them. */
function storedColumn(code: string, columns: ReadonlyMap<string, PhysicalColumn> | undefined): PhysicalColumn | undefined {
  const alike = [...(columns ?? [])].filter(([name]) => name.toLowerCase() === code.toLowerCase())
  return columns?.get(code) ?? (alike.length === 1 ? alike[0]?.[1] : undefined)
}

/** The columns of the table whose types nothing says: their names, and those in the database. */
const untypedCodes = ({ columns }: DataObject): readonly (readonly [column: string, code: string])[] =>
  [...columns.values()].flatMap(({ name, source, isTyped }) =>
    !isTyped && source.kind === 'physical' ? [[name, source.code] as const] : [],
  )

/** What an author would declare; `undefined` for what is read as a text. */
function declaredTypeOf(sqlType: string, dialect: Dialect): object | undefined {
  const physical = physicalType(sqlType, dialect)
  if (physical?.kind === 'decimal' && physical.precision !== undefined)
    return { abstractType: 'float', sqlType: `decimal(${physical.precision}, ${physical.scale ?? 0})` }
  const abstractType = physical && TYPES[physical.kind]
  return abstractType === undefined ? undefined : { abstractType }
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

import { fail } from '../errors.js'
import { type DataType, formatDataType, type TypeKind } from '../model/data-type.js'
import { inexactCollation, type PhysicalKind, type PhysicalType, parsePhysicalType } from '../model/physical-type.js'
import type { Column } from '../model/semantic-model.js'
import type { PhysicalColumn, StoredColumn } from '../model/stored-column.js'
import type { Dialect } from './dialect.js'
import { holds, howToList, writtenAs } from './true-values.js'

type StorageRules = Pick<Dialect, 'type' | 'storedKinds' | 'semantics'>

/**
 * How a column is stored if that differs from its declaration; `undefined` if it needs no conversion. `known` is the database's answer,
 * `'declared'` if it was not asked and the model is trusted. Throws `TYPE_MISMATCH`.
 */
export function storedAs(
  object: string,
  column: Column,
  known: PhysicalColumn | 'declared' | undefined,
  dialect: StorageRules,
): StoredColumn | undefined {
  const { name, type: declared, sqlType, trueValues } = column
  const read = known === 'declared' ? undefined : known
  const spelled = sqlType ?? read?.sqlType
  if (spelled === undefined && known === 'declared')
    return (
      trueValues && { name: `${object}.${name}`, declared, physical: writtenAs(trueValues), collation: undefined, trueValues }
    )
  const physical = spelled === undefined ? trueValues && writtenAs(trueValues) : physicalType(spelled, dialect)
  const collation = dialect.semantics.exactText ? (read?.collation ?? inexactCollation(spelled ?? '')) : undefined
  const stored: StoredColumn = { name: `${object}.${name}`, declared, physical, collation, ...(trueValues && { trueValues }) }
  if (trueValues) {
    if (physical && !holds(physical, trueValues)) refuse(stored, physical, column)
    return stored
  }
  if (physical === undefined) return UNCERTAIN.has(declared.kind) ? stored : undefined
  if (isAsDeclared(physical, declared, dialect)) return collation === undefined ? undefined : stored
  if (!isConverted(physical, declared)) refuse(stored, physical, column)
  return stored
}

/** Whether values that the database has in a type of this name are values of the declared one, as they are or converted. */
export function isReadable(sqlType: string, declared: DataType, dialect: StorageRules): boolean {
  const physical = physicalType(sqlType, dialect)
  return physical === undefined || isAsDeclared(physical, declared, dialect) || isConverted(physical, declared)
}

const isConverted = (physical: PhysicalType, declared: DataType): boolean =>
  (READABLE[declared.kind]?.includes(physical.kind) ?? false) && !isFraction(physical, declared)

/** Types that columns of other types are read as. A number, a text or a moment that is none of these is what it is declared as. */
const UNCERTAIN: ReadonlySet<TypeKind> = new Set(['string', 'int', 'float', 'date', 'timestamp'])

/** Whether the statement would be another one if the column, of whose storage nothing is known, is not stored as declared. */
export const mayDiffer = ({ type, sqlType }: Column): boolean => sqlType === undefined && UNCERTAIN.has(type.kind)

/** The physical types from which a conversion reads a declared type (docs/column-types.md). */
const READABLE: Readonly<Partial<Record<TypeKind, readonly PhysicalKind[]>>> = {
  string: ['padded', 'folded', 'uuid', 'enum', 'json'],
  int: ['integer', 'decimal'],
  float: ['integer', 'real', 'decimal'],
  decimal: ['integer', 'real', 'double'],
  date: ['timestamp', 'timestamp_tz'],
  timestamp: ['timestamp_tz', 'date'],
}

/** The physical type that a declared type needs no conversion from; `json` is any structured type. */
const SAME: Readonly<Record<TypeKind, PhysicalKind | undefined>> = {
  string: 'text',
  int: undefined,
  float: 'double',
  decimal: 'decimal',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  timestamp_tz: 'timestamp_tz',
  json: undefined,
}

function isAsDeclared(physical: PhysicalType, declared: DataType, dialect: StorageRules): boolean {
  if (declared.kind === 'json' || SAME[declared.kind] === physical.kind) return true
  const own = dialect.type(declared)
  if (sameSpelling(physical.name, own)) return true
  if (declared.kind === 'int') return sameSpelling(physical.name, 'bigint')
  if (declared.kind === 'boolean' && /^(tinyint|bit)\(1\)/i.test(physical.name)) return true
  return physicalType(own, dialect)?.kind === physical.kind && declared.kind !== 'float'
}

const sameSpelling = (a: string, b: string): boolean => spelling(a) === spelling(b)
const spelling = (name: string): string => name.replace(/^Nullable\((.*)\)$/, '$1').toLowerCase()

/** The kind by the dialect's own names, which some dialects use differently from others. */
export function physicalType(name: string, { storedKinds, semantics }: StorageRules): PhysicalType | undefined {
  const kind = storedKinds[name.replace(/\(.*$/, '').trim().toLowerCase()]
  const type = kind ? { kind, name } : parsePhysicalType(name)
  return type?.kind === 'uuid' && !semantics.comparedUuids ? { ...type, comparesNoText: true } : type
}

/** A column with digits after the point is not an integer column. */
const isFraction = ({ kind, scale }: PhysicalType, declared: DataType): boolean =>
  declared.kind === 'int' && kind === 'decimal' && scale !== undefined && scale > 0

function refuse({ name, declared, trueValues }: StoredColumn, physical: PhysicalType, { isTyped }: Column): never {
  const says = isTyped ? 'is declared' : 'has no type in the model, is read as a'
  const message = `'${name}' ${says} ${formatDataType(declared)}, and the database stores it as ${physical.name}`
  const other = `declare the type that the database has, or convert the column in a SELECT as the code of '${name.split('.')[0]}'`
  return fail('TYPE_MISMATCH', message, {
    hint: trueValues || declared.kind === 'boolean' ? (howToList(physical) ?? other) : other,
    context: { column: name, declared: formatDataType(declared), stored: physical.name },
  })
}

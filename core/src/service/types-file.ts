/** How databases store the columns of a model, in a file next to the model's: for compilations without a connection. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { errorCatalog } from '../error-catalog.js'
import { type Finding, fail, warning } from '../errors.js'
import { messageOf } from '../invariant.js'
import { hasTable, type SemanticModel } from '../model/semantic-model.js'
import { isRecord } from '../model/shape.js'
import type { PhysicalColumn, PhysicalTypes } from '../model/stored-column.js'

export interface TypesFile {
  /** Its path. */
  readonly name: string
  /** By dialect. */
  readonly types: ReadonlyMap<string, PhysicalTypes>
}

/** Dialect, data object, column in the database: its type, with a collation if it has an inexact one. */
export type TypesDocument = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, StoredAs>>>>>>
type StoredAs = string | { readonly type: string; readonly collation: string }

/** `sales.types.json` next to `sales.yaml`. */
export const typesFileOf = (model: string): string => join(dirname(model), `${basename(model, extname(model))}.types.json`)

/** The file of a model; `undefined` if there is none. Throws `TYPES_FILE_INVALID`. */
export async function readTypesFile(model: string): Promise<TypesFile | undefined> {
  const name = typesFileOf(model)
  if (!existsSync(name)) return undefined
  const document = readTypes(name, await readFile(name, 'utf8'))
  return { name, types: new Map(Object.entries(document).map(([dialect, objects]) => [dialect, typesOf(objects)])) }
}

const typesOf = (objects: TypesDocument[string]): PhysicalTypes =>
  mapOf(objects, (columns) => mapOf(columns, (stored) => physicalColumn(stored)))

const mapOf = <T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): ReadonlyMap<string, R> =>
  new Map(Object.entries(record).map(([name, value]) => [name, map(value)]))

export const physicalColumn = (stored: StoredAs): PhysicalColumn =>
  typeof stored === 'string' ? { sqlType: stored } : { sqlType: stored.type, collation: stored.collation }

/** The same as the file states it. */
export const writtenType = ({ sqlType, collation }: PhysicalColumn): StoredAs =>
  collation === undefined ? sqlType : { type: sqlType, collation }

/** The text as a document. Throws `TYPES_FILE_INVALID`. */
export function readTypes(name: string, text: string): TypesDocument {
  const document = jsonOf(name, text)
  if (!isDocument(document)) return invalid(name, 'it lists no types by dialect, data object and column')
  return document
}

function jsonOf(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return invalid(name, messageOf(error))
  }
}

function invalid(name: string, why: string): never {
  return fail('TYPES_FILE_INVALID', `The types of the columns cannot be read from ${name}: ${why}`, {
    hint: errorCatalog.TYPES_FILE_INVALID.fix,
    context: { file: name },
  })
}

const isDocument = (value: unknown): value is TypesDocument =>
  isRecord(value) &&
  Object.values(value).every((objects) => isRecord(objects) && Object.values(objects).every((columns) => isTypes(columns)))

const isTypes = (value: unknown): boolean => isRecord(value) && Object.values(value).every(isStoredAs)

const isStoredAs = (value: unknown): boolean =>
  typeof value === 'string' || (isRecord(value) && typeof value.type === 'string' && typeof value.collation === 'string')

/** The types of a file for one dialect, and those of its database, which are absent if it is not asked. */
interface Compared {
  readonly file: string
  readonly dialect: string
  readonly types: PhysicalTypes
  readonly stored?: PhysicalTypes
}

/** A warning if the file misses columns of the model, or differs from the database about them. */
export function staleTypes(model: SemanticModel, compared: Compared): Finding | undefined {
  const { file, dialect } = compared
  const [first, ...others] = differences(model, compared)
  if (first === undefined) return undefined
  const more = others.length > 0 ? `, and ${others.length} more` : ''
  return warning('TYPES_FILE_STALE', `${file} is stale for ${dialect}: ${first}${more}`, {
    hint: errorCatalog.TYPES_FILE_STALE.fix,
    context: { file, dialect },
  })
}

function differences(model: SemanticModel, { types, stored }: Compared): string[] {
  return physicalColumns(model).flatMap(({ object, name, code }) => {
    const listed = types.get(object)?.get(code)
    const real = stored?.get(object)?.get(code)
    if (listed === undefined) return stored === undefined || real !== undefined ? [`it lacks '${name}'`] : []
    if (real === undefined || isSame(listed, real)) return []
    return [`'${name}' is ${listed.sqlType} there, and ${real.sqlType} in the database`]
  })
}

/** The columns whose storage the model does not state itself. */
export const physicalColumns = ({ dataObjects }: SemanticModel) =>
  [...dataObjects.values()]
    .filter(hasTable)
    .flatMap(({ name: object, columns }) =>
      [...columns.values()].flatMap(({ name, source, sqlType }) =>
        source.kind === 'physical' && sqlType === undefined ? [{ object, name: `${object}.${name}`, code: source.code }] : [],
      ),
    )

const isSame = (a: PhysicalColumn, b: PhysicalColumn): boolean => a.sqlType === b.sqlType && a.collation === b.collation

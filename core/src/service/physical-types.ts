/** How the database stores the columns of a model: read once for each model, at its first use; else from its file. */
import { createHash } from 'node:crypto'
import type { IntrospectedTable } from '../execute/introspection.js'
import type { TypedColumn, VendorConnection } from '../execute/vendor.js'
import type { Logger } from '../logger.js'
import { type DataObject, declaredObjects, hasTable, type SemanticModel, type TableSource } from '../model/semantic-model.js'
import type { PhysicalColumn, PhysicalTypes, StoredTypes } from '../model/stored-column.js'
import type { Settings } from '../settings/core-variables.js'
import type { Dialect } from '../sql/dialect.js'
import { sourceText } from '../sql/text.js'
import type { Connections } from './connections.js'
import { executionEnabled } from './public-settings.js'
import { staleTypes, type TypesFile } from './types-file.js'

export interface KnownTypes {
  readonly types: StoredTypes
  /** A hash of the types: equal types give the same text. */
  readonly fingerprint: string
  /** The database was asked, and has tables of the model. */
  readonly asked?: boolean
  /** Why no connection could be opened. */
  readonly unreachable?: unknown
  /** Why the database was not read: there is no connection, or it does not say its types. */
  readonly unread?: unknown
}

export interface PhysicalCatalogue {
  /** Takes the types of a model from its file; they hold for a dialect whose database is not connected. */
  readFrom(file: TypesFile | undefined, model: SemanticModel): void
  /** Reads them from the database if that was not done yet. If none is connected, or it lacks all tables, they are those of the file. */
  read(model: SemanticModel, dialect: Dialect, client?: () => string): KnownTypes | Promise<KnownTypes>
  /** The databases are asked again: one of them was opened again. */
  forget(): void
  /** The types that are known so far. */
  known(model: SemanticModel, dialect: Dialect): KnownTypes
}

/** A database is connected and does not say how it stores the columns: no declaration is believed. */
const UNREAD: KnownTypes = { types: 'unknown', fingerprint: 'unknown' }
const BELIEVED: KnownTypes = { types: 'declared', fingerprint: 'declared' }

export function createPhysicalCatalogue(settings: Settings, connections: Connections, logger: Logger): PhysicalCatalogue {
  const enabled = executionEnabled(settings)
  const unconnected = settings.COMPILE_UNKNOWN_TYPES === 'cast' ? UNREAD : BELIEVED
  const files = new WeakMap<SemanticModel['dataObjects'], TypesFile>()
  let kept = new WeakMap<SemanticModel['dataObjects'], Map<string, KnownTypes | Promise<KnownTypes>>>()

  /** Models with added values share the data objects of the original; a view with hidden fields names them. */
  function ofModel(model: SemanticModel): Map<string, KnownTypes | Promise<KnownTypes>> {
    const dataObjects = declaredObjects(model)
    let known = kept.get(dataObjects)
    if (!known) {
      known = new Map()
      kept.set(dataObjects, known)
    }
    return known
  }

  async function ask(model: SemanticModel, dialect: Dialect, client: string | undefined): Promise<KnownTypes> {
    let connection: VendorConnection
    try {
      connection = await connections.open(dialect.name, client)
    } catch (error) {
      return { ...withoutDatabase(model, dialect), unreachable: error, unread: error }
    }
    const types = await typesOf(connection, model, dialect)
    if (connection.columnTypes && hasNoTable(types)) return withoutDatabase(model, dialect)
    warnIfStale(model, dialect, types)
    return { types, fingerprint: fingerprintOf(types), asked: true }
  }

  function withoutDatabase(model: SemanticModel, { name }: Dialect): KnownTypes {
    const types = files.get(declaredObjects(model))?.types.get(name)
    return types === undefined ? unconnected : { types, fingerprint: fingerprintOf(types) }
  }

  function warnIfStale(model: SemanticModel, dialect: Dialect, stored: PhysicalTypes): void {
    const file = files.get(declaredObjects(model))
    const types = file?.types.get(dialect.name)
    const finding = file && types && staleTypes(model, { file: file.name, types, stored, dialect: dialect.name })
    if (finding) logger.warn({ code: finding.code, file: file.name }, finding.message)
  }

  return {
    readFrom(file, { dataObjects }) {
      if (file === undefined) files.delete(dataObjects)
      else files.set(dataObjects, file)
    },
    forget() {
      kept = new WeakMap()
    },
    known(model, dialect) {
      const found = ofModel(model).get(dialect.name)
      return found === undefined || found instanceof Promise ? withoutDatabase(model, dialect) : found
    },
    read(model, dialect, client) {
      const all = ofModel(model)
      const found = all.get(dialect.name)
      if (found && found !== UNREAD) return found
      if (!enabled || !connections.runs(dialect.name)) return withoutDatabase(model, dialect)
      const asking = ask(model, dialect, client?.()).then(
        (found) => {
          if (found.asked) all.set(dialect.name, found)
          else all.delete(dialect.name)
          return found
        },
        (error: unknown) => {
          // The next query tries again.
          all.set(dialect.name, UNREAD)
          logger.warn({ error: String(error), dialect: dialect.name }, 'the types of the columns could not be read')
          return { ...UNREAD, unread: error }
        },
      )
      all.set(dialect.name, asking)
      return asking
    },
  }
}

async function typesOf(connection: VendorConnection, model: SemanticModel, dialect: Dialect): Promise<PhysicalTypes> {
  const objects = [...model.dataObjects.values()].filter(hasTable)
  const columns = await columnsOf(connection, objects, dialect)
  return new Map(objects.map((object, i) => [object.name, byCode(columns[i] ?? [])]))
}

/** The columns of the tables of objects, in order; `undefined` for one that cannot be read. */
export async function columnsOf(
  connection: VendorConnection,
  objects: readonly DataObject[],
  dialect: Dialect,
): Promise<readonly (readonly TypedColumn[] | undefined)[]> {
  if (connection.columnTypes) return connection.columnTypes(objects.map(({ source }) => sourceText(source, dialect)))
  const tables = (await connection.introspect?.()) ?? []
  return objects.map(({ source }) => tableOf(source, tables)?.columns)
}

/** Another database than that of the model, such as an empty one. No statement about the model can run there. */
const hasNoTable = (types: PhysicalTypes): boolean => [...types.values()].every((columns) => columns.size === 0)

const byCode = (columns: readonly TypedColumn[]): ReadonlyMap<string, PhysicalColumn> =>
  new Map(columns.map(({ name, sqlType, collation }) => [name, { sqlType, collation }]))

/** The only table of the name; of several, the one in the schema that the model names. */
function tableOf(source: TableSource, tables: readonly IntrospectedTable[]): IntrospectedTable | undefined {
  if (source.kind !== 'table') return undefined
  const named = tables.filter(({ name }) => name === source.name)
  const found = source.schema === undefined ? named : named.filter(({ schema }) => schema === source.schema)
  return found.length === 1 ? found[0] : undefined
}

function fingerprintOf(types: PhysicalTypes): string {
  const text = JSON.stringify([...types].map(([object, columns]) => [object, [...columns]]))
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

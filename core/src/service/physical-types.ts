/** How the database stores the columns of a model: read once for each model, at its first use. */
import { createHash } from 'node:crypto'
import type { IntrospectedTable } from '../execute/introspection.js'
import type { TypedColumn, VendorConnection } from '../execute/vendor.js'
import type { Logger } from '../logger.js'
import type { DataObject, SemanticModel, TableSource } from '../model/semantic-model.js'
import type { PhysicalColumn, PhysicalTypes } from '../model/stored-column.js'
import type { Dialect } from '../sql/dialect.js'
import { sourceText } from '../sql/text.js'
import type { Connections } from './connections.js'

export interface KnownTypes {
  readonly types: PhysicalTypes
  /** A hash of the types: equal types give the same text. */
  readonly fingerprint: string
  /** Why the database could not be read. */
  readonly unreachable?: unknown
}

export interface PhysicalCatalogue {
  /** Reads them from the database if that was not done yet; nothing is known if none is connected, or if it is unreachable. */
  read(model: SemanticModel, dialect: Dialect, client?: () => string): KnownTypes | Promise<KnownTypes>
  /** The types that are known so far. */
  known(model: SemanticModel, dialect: Dialect): KnownTypes
}

const NOTHING: KnownTypes = { types: new Map(), fingerprint: '' }

export function createPhysicalCatalogue(enabled: boolean, connections: Connections, logger: Logger): PhysicalCatalogue {
  const kept = new WeakMap<SemanticModel['dataObjects'], Map<string, KnownTypes | Promise<KnownTypes>>>()

  /** Models with added values share the data objects of the original. */
  function ofModel({ dataObjects }: SemanticModel): Map<string, KnownTypes | Promise<KnownTypes>> {
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
      return { ...NOTHING, unreachable: error }
    }
    const types = await typesOf(connection, model, dialect)
    return { types, fingerprint: fingerprintOf(types) }
  }

  return {
    known(model, dialect) {
      const found = ofModel(model).get(dialect.name)
      return found === undefined || found instanceof Promise ? NOTHING : found
    },
    read(model, dialect, client) {
      const all = ofModel(model)
      const found = all.get(dialect.name)
      if (found) return found
      if (!enabled || !connections.runs(dialect.name)) return NOTHING
      const asking = ask(model, dialect, client?.()).then(
        (types) => {
          if (types.unreachable === undefined) all.set(dialect.name, types)
          else all.delete(dialect.name)
          return types
        },
        (error: unknown) => {
          // The next query tries again.
          all.delete(dialect.name)
          logger.warn({ error: String(error), dialect: dialect.name }, 'the types of the columns could not be read')
          return NOTHING
        },
      )
      all.set(dialect.name, asking)
      return asking
    },
  }
}

async function typesOf(connection: VendorConnection, model: SemanticModel, dialect: Dialect): Promise<PhysicalTypes> {
  const objects = [...model.dataObjects.values()].filter((object) => object.nestedIn === undefined)
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

/** Answers catalogue commands from the models. Clients send them before they read data. */
import type { ArrowIpc } from '@grainline/core/format'
import type { ModelService, ReferenceService, SqlService } from '@grainline/core/surface'
import { batchParts, sql } from '@grainline/flight-sql'
import type { RecordBatch, Schema } from 'apache-arrow'
import { flightFrame } from '../rows/flight-frame.js'
import { type Command, decode } from '../server/decode.js'
import type { Outlet } from '../server/outlet.js'
import { likePattern } from './like-pattern.js'
import { type ModelsAsked, modelsIn, type Relation, relationsOf, type Visible } from './relations.js'
import { batchOf } from './rows.js'
import { SCHEMAS } from './schemas.js'
import { sqlInfoBatch } from './sql-info.js'
import { tableSchema } from './table-schema.js'
import { XDBC_TYPES } from './xdbc-types.js'

export interface CatalogCommands {
  has(name: string): boolean
  schemaOf(command: Command): Schema
  stream(command: Command, request: ModelsAsked, out: Outlet): Promise<void>
}

const TABLE = 'TABLE'

interface Context {
  readonly service: ModelService & ReferenceService & SqlService
  readonly ipc: ArrowIpc
  /** The time until a prepared statement expires. */
  readonly statementMs: number
}

interface Answering {
  readonly schema: (value: Uint8Array) => Schema
  readonly answer: (value: Uint8Array, request: ModelsAsked) => Promise<RecordBatch>
}

export function catalogCommands(context: Context): CatalogCommands {
  const { ipc } = context
  const answers = answersOf(context)
  const answering = (name: string): Answering => answers.get(name)!

  return {
    has: (name) => answers.has(name),
    schemaOf: ({ name, value }) => answering(name).schema(value),
    async stream({ name, value }, request, out) {
      const { schema, answer } = answering(name)
      const batch = await answer(value, request)
      await out.send(flightFrame(ipc.schemaMessage(schema(value))))
      const { header, body } = await batchParts(batch)
      if (batch.numRows > 0) await out.send(flightFrame({ header, buffers: [body], bodyLength: body.length }))
    },
  }
}

/** How each command is answered, by its name. */
function answersOf(context: Context): ReadonlyMap<string, Answering> {
  const { service, statementMs } = context
  const models = (request: ModelsAsked) => modelsIn(request, service)
  return new Map<string, Answering>([
    ['CommandGetCatalogs', fixed(SCHEMAS.catalogs, (_value, request) => unique(models(request), ({ catalog }) => [catalog]))],
    [
      'CommandGetDbSchemas',
      fixed(SCHEMAS.dbSchemas, (value, request) => {
        const { catalog, dbSchemaFilterPattern } = decode(sql.commandGetDbSchemas, value)
        const isSchema = likePattern(dbSchemaFilterPattern)
        const found = models(request).filter(
          (each) => (catalog === undefined || each.catalog === catalog) && isSchema(each.schema),
        )
        return unique(found, ({ catalog: own, schema }) => [own, schema])
      }),
    ],
    [
      'CommandGetTables',
      {
        schema: (value) => (decode(sql.commandGetTables, value).includeSchema ? SCHEMAS.tablesWithSchema : SCHEMAS.tables),
        answer: (value, request) => tablesOf(value, request, context),
      },
    ],
    ['CommandGetTableTypes', fixed(SCHEMAS.tableTypes, () => [[TABLE]])],
    // Clients do not join relations, because joins are part of the model. So no keys are shown.
    ['CommandGetPrimaryKeys', fixed(SCHEMAS.primaryKeys, () => [])],
    ['CommandGetExportedKeys', fixed(SCHEMAS.foreignKeys, () => [])],
    ['CommandGetImportedKeys', fixed(SCHEMAS.foreignKeys, () => [])],
    ['CommandGetCrossReference', fixed(SCHEMAS.foreignKeys, () => [])],
    [
      'CommandGetXdbcTypeInfo',
      fixed(SCHEMAS.xdbcTypeInfo, (value) => {
        const { dataType } = decode(sql.commandGetXdbcTypeInfo, value)
        return XDBC_TYPES.filter(([, type]) => dataType === undefined || type === dataType)
      }),
    ],
    [
      'CommandGetSqlInfo',
      {
        schema: () => SCHEMAS.sqlInfo,
        answer: async (value) => sqlInfoBatch(decode(sql.commandGetSqlInfo, value).info ?? [], service, statementMs),
      },
    ],
  ])
}

/** An answer whose columns are always the same. */
const fixed = (
  schema: Schema,
  rows: (value: Uint8Array, request: ModelsAsked) => readonly (readonly unknown[])[],
): Answering => ({
  schema: () => schema,
  answer: async (value, request) => batchOf(schema, rows(value, request)),
})

async function tablesOf(value: Uint8Array, request: ModelsAsked, { service, ipc }: Context): Promise<RecordBatch> {
  const {
    catalog,
    dbSchemaFilterPattern,
    tableNameFilterPattern,
    tableTypes = [],
    includeSchema,
  } = decode(sql.commandGetTables, value)
  const isSchema = likePattern(dbSchemaFilterPattern)
  const isTable = likePattern(tableNameFilterPattern)
  const asked = modelsIn(request, service)
    .filter((model) => catalog === undefined || model.catalog === catalog)
    .filter(({ schema }) => isSchema(schema))
    .filter(() => tableTypes.length === 0 || tableTypes.includes(TABLE))
  const found = (await relationsOf(asked, service)).filter(({ table }) => isTable(table)).toSorted(byNames)
  const rows = found.map((relation) => {
    const { catalog, schema, table } = relation
    return [catalog, schema, table, TABLE, ...(includeSchema ? [tableSchema(relation, ipc)] : [])]
  })
  return batchOf(includeSchema ? SCHEMAS.tablesWithSchema : SCHEMAS.tables, rows)
}

function unique(models: readonly Visible[], rowOf: (model: Visible) => readonly string[]): (readonly string[])[] {
  const rows = new Map(models.map((model) => [JSON.stringify(rowOf(model)), rowOf(model)]))
  return [...rows.values()].toSorted((a, b) => compare(a.join('\u0000'), b.join('\u0000')))
}

const byNames = (a: Relation, b: Relation): number =>
  compare(a.catalog, b.catalog) || compare(a.schema, b.schema) || compare(a.table, b.table)
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

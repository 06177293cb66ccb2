import type { RecordBatch, Schema } from 'apache-arrow'
import * as flight from '../flight-messages.js'
import { encapsulated } from '../ipc-messages.js'
import * as sql from '../sql-messages.js'
import { type Answer, openAnswer } from './answer.js'
import { type FlightCalls, openCalls } from './calls.js'
import type { ConnectOptions } from './options.js'
import { type ParameterValue, parameterBatch } from './parameter-batch.js'

export interface CallSettings {
  /** Aborting tells the server and ends the call. */
  readonly signal?: AbortSignal
}

/** A prepared statement. */
export interface Prepared {
  readonly schema: Schema
  readonly parameterSchema: Schema
  /** Values in the order of the parameters. */
  query(values?: readonly ParameterValue[], settings?: CallSettings): Promise<Answer>
  close(): Promise<void>
}

export interface TableFilter {
  readonly catalog?: string
  /** `%` is any text, `_` one character. */
  readonly dbSchemaFilterPattern?: string
  readonly tableNameFilterPattern?: string
  readonly tableTypes?: readonly string[]
  readonly includeSchema?: boolean
}

export interface TableName {
  readonly catalog?: string
  readonly dbSchema?: string
  readonly table: string
}

/** A client of Arrow Flight SQL. Every call rejects with the error of gRPC, whose `code` is one of its status codes. */
export interface FlightSqlClient {
  /** Runs a statement. */
  query(statement: string, settings?: CallSettings): Promise<Answer>
  prepare(statement: string): Promise<Prepared>
  /** The columns that a statement would have. */
  schemaOf(statement: string): Promise<Schema>
  catalogs(): Promise<Answer>
  dbSchemas(filter?: { readonly catalog?: string; readonly dbSchemaFilterPattern?: string }): Promise<Answer>
  tables(filter?: TableFilter): Promise<Answer>
  tableTypes(): Promise<Answer>
  primaryKeys(table: TableName): Promise<Answer>
  importedKeys(table: TableName): Promise<Answer>
  exportedKeys(table: TableName): Promise<Answer>
  xdbcTypeInfo(dataType?: number): Promise<Answer>
  /** The information of the server about itself, by the codes of `SqlInfo`; only these codes if some are given. */
  sqlInfo(codes?: readonly number[]): Promise<ReadonlyMap<number, unknown>>
  /** `undefined` unsets an option. Resolves to the names that were refused, each with its `SESSION_ERROR`. */
  setSessionOptions(options: Readonly<Record<string, string | boolean | undefined>>): Promise<ReadonlyMap<string, number>>
  sessionOptions(): Promise<ReadonlyMap<string, flight.SessionOptionValue>>
  closeSession(): Promise<void>
  /** The low-level calls, for operations that this interface does not have. */
  readonly calls: FlightCalls
  close(): void
}

/** Opens a connection, without retries. `@grpc/grpc-js` and `apache-arrow` are loaded by the first call. */
export async function connectFlightSql(options: ConnectOptions): Promise<FlightSqlClient> {
  const calls = await openCalls(options)

  const ask = (name: string, command: Uint8Array, settings: CallSettings = {}): Promise<Answer> =>
    openAnswer(calls, descriptorOf(name, command), settings)

  async function act(type: string, body: Uint8Array = new Uint8Array(0)): Promise<Uint8Array> {
    let answer: Uint8Array = new Uint8Array(0)
    for await (const result of calls.stream('DoAction', flight.action.encode({ type, body })))
      answer = flight.actionResult.decode(result as Buffer).body ?? answer
    return answer
  }

  async function prepare(query: string): Promise<Prepared> {
    const body = sql.named('ActionCreatePreparedStatementRequest', sql.createPreparedStatementRequest.encode({ query }))
    const { value = new Uint8Array(0) } = sql.readNamed(await act('CreatePreparedStatement', body)) ?? {}
    const made = sql.createPreparedStatementResult.decode(value)
    const handle = made.preparedStatementHandle ?? new Uint8Array(0)
    const parameterSchema = await readSchema(made.parameterSchema)
    return {
      schema: await readSchema(made.datasetSchema),
      parameterSchema,
      async query(values = [], settings) {
        const bound = values.length === 0 ? handle : await bind(handle, parameterSchema, values)
        const command = sql.commandPreparedStatementQuery.encode({ preparedStatementHandle: bound })
        return ask('CommandPreparedStatementQuery', command, settings)
      },
      async close() {
        const request = sql.closePreparedStatementRequest.encode({ preparedStatementHandle: handle })
        await act('ClosePreparedStatement', sql.named('ActionClosePreparedStatementRequest', request))
      },
    }
  }

  /** The server may return a new handle to use from then on. */
  async function bind(handle: Uint8Array, schema: Schema, values: readonly ParameterValue[]): Promise<Uint8Array> {
    const command = sql.commandPreparedStatementQuery.encode({ preparedStatementHandle: handle })
    const descriptor = { type: flight.DESCRIPTOR_CMD, cmd: sql.named('CommandPreparedStatementQuery', command) }
    const [answer] = await calls.put(await parameterBatch(descriptor, schema, values))
    const metadata = answer && flight.putResult.decode(answer).appMetadata
    return (metadata && sql.doPutPreparedStatementResult.decode(metadata).preparedStatementHandle) ?? handle
  }

  return {
    query: (query, settings) => ask('CommandStatementQuery', sql.commandStatementQuery.encode({ query }), settings),
    prepare,
    async schemaOf(query) {
      const descriptor = descriptorOf('CommandStatementQuery', sql.commandStatementQuery.encode({ query }))
      return readSchema(flight.schemaResult.decode(await calls.unary('GetSchema', descriptor)).schema)
    },
    catalogs: () => ask('CommandGetCatalogs', sql.commandGetCatalogs.encode({})),
    dbSchemas: (filter = {}) => ask('CommandGetDbSchemas', sql.commandGetDbSchemas.encode(filter)),
    tables: (filter = {}) => ask('CommandGetTables', sql.commandGetTables.encode(filter)),
    tableTypes: () => ask('CommandGetTableTypes', sql.commandGetTableTypes.encode({})),
    primaryKeys: (table) => ask('CommandGetPrimaryKeys', sql.commandGetPrimaryKeys.encode(table)),
    importedKeys: (table) => ask('CommandGetImportedKeys', sql.commandGetImportedKeys.encode(table)),
    exportedKeys: (table) => ask('CommandGetExportedKeys', sql.commandGetExportedKeys.encode(table)),
    xdbcTypeInfo: (dataType) => ask('CommandGetXdbcTypeInfo', sql.commandGetXdbcTypeInfo.encode({ dataType })),
    sqlInfo: async (info = []) => readSqlInfo(await ask('CommandGetSqlInfo', sql.commandGetSqlInfo.encode({ info }))),
    async setSessionOptions(options) {
      const given = Object.entries(options).map(([name, value]) => [name, optionOf(value)] as const)
      const request = flight.setSessionOptionsRequest.encode({ sessionOptions: new Map(given) })
      const { errors = new Map() } = flight.setSessionOptionsResult.decode(await act('SetSessionOptions', request))
      return new Map([...errors].map(([name, { value = 0 }]) => [name, value]))
    },
    async sessionOptions() {
      return flight.getSessionOptionsResult.decode(await act('GetSessionOptions')).sessionOptions ?? new Map()
    },
    async closeSession() {
      await act('CloseSession')
    },
    calls,
    close: () => calls.close(),
  }
}

const descriptorOf = (name: string, command: Uint8Array): Buffer =>
  flight.flightDescriptor.encode({ type: flight.DESCRIPTOR_CMD, cmd: sql.named(name, command) })

function optionOf(value: string | boolean | undefined): flight.SessionOptionValue {
  if (value === undefined) return {}
  return typeof value === 'string' ? { stringValue: value } : { boolValue: value }
}

/** A schema in its encapsulated form; without one there are no columns. */
async function readSchema(bytes: Uint8Array | undefined): Promise<Schema> {
  const { RecordBatchReader, Schema: Columns } = await import('apache-arrow')
  if (bytes === undefined || bytes.length === 0) return new Columns([])
  const marked = bytes[0] === 255 ? bytes : encapsulated(bytes)
  return RecordBatchReader.from(marked).open().schema
}

/** Information about the server, by the codes of `SqlInfo`. */
async function readSqlInfo(answer: AsyncIterable<RecordBatch>): Promise<ReadonlyMap<number, unknown>> {
  const told = new Map<number, unknown>()
  for await (const batch of answer) {
    for (const row of batch) told.set(Number(row['info_name']), row['value'])
  }
  return told
}

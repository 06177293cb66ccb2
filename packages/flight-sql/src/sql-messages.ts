/** The messages of Flight SQL: https://arrow.apache.org/docs/format/FlightSql.html */
import { bool, bytes, int32, message, optional, repeated, text, uint32, type ValueOf } from './protobuf.js'

export const commandStatementQuery = message('CommandStatementQuery', { query: text(1), transactionId: optional(bytes(2)) })
export const commandPreparedStatementQuery = message('CommandPreparedStatementQuery', { preparedStatementHandle: bytes(1) })
export const ticketStatementQuery = message('TicketStatementQuery', { statementHandle: bytes(1) })
export const commandGetCatalogs = message('CommandGetCatalogs', {})
export const commandGetDbSchemas = message('CommandGetDbSchemas', {
  catalog: optional(text(1)),
  dbSchemaFilterPattern: optional(text(2)),
})
export const commandGetTables = message('CommandGetTables', {
  catalog: optional(text(1)),
  dbSchemaFilterPattern: optional(text(2)),
  tableNameFilterPattern: optional(text(3)),
  tableTypes: repeated(text(4)),
  includeSchema: bool(5),
})
export type CommandGetTables = ValueOf<typeof commandGetTables>
export const commandGetTableTypes = message('CommandGetTableTypes', {})
export const commandGetSqlInfo = message('CommandGetSqlInfo', { info: repeated(uint32(1)) })
export const commandGetXdbcTypeInfo = message('CommandGetXdbcTypeInfo', { dataType: optional(int32(1)) })

const keysOfTable = { catalog: optional(text(1)), dbSchema: optional(text(2)), table: text(3) }
export const commandGetPrimaryKeys = message('CommandGetPrimaryKeys', keysOfTable)
export const commandGetExportedKeys = message('CommandGetExportedKeys', keysOfTable)
export const commandGetImportedKeys = message('CommandGetImportedKeys', keysOfTable)
export const commandGetCrossReference = message('CommandGetCrossReference', {
  pkCatalog: optional(text(1)),
  pkDbSchema: optional(text(2)),
  pkTable: text(3),
  fkCatalog: optional(text(4)),
  fkDbSchema: optional(text(5)),
  fkTable: text(6),
})

export const createPreparedStatementRequest = message('ActionCreatePreparedStatementRequest', {
  query: text(1),
  transactionId: optional(bytes(2)),
})
export const createPreparedStatementResult = message('ActionCreatePreparedStatementResult', {
  preparedStatementHandle: bytes(1),
  datasetSchema: bytes(2),
  parameterSchema: bytes(3),
  isUpdate: optional(bool(4)),
})
export const closePreparedStatementRequest = message('ActionClosePreparedStatementRequest', { preparedStatementHandle: bytes(1) })
/** The answer to bound parameters: the handle to use from then on. */
export const doPutPreparedStatementResult = message('DoPutPreparedStatementResult', {
  preparedStatementHandle: optional(bytes(1)),
})

/** Older than `CancelFlightInfo`, with the same meaning. */
export const cancelQueryRequest = message('ActionCancelQueryRequest', { info: bytes(1) })
export const cancelQueryResult = message('ActionCancelQueryResult', { result: int32(1) })

/** `google.protobuf.Any`: a message with its type name. */
export const any = message('Any', { typeUrl: text(1), value: bytes(2) })

const SQL_PACKAGE = 'arrow.flight.protocol.sql'
const TYPE_URL = `type.googleapis.com/${SQL_PACKAGE}.`

/** A message of Flight SQL with its type name, as in descriptors, tickets and actions. */
export const named = (name: string, value: Uint8Array): Buffer => any.encode({ typeUrl: TYPE_URL + name, value })

export interface Named {
  readonly name: string
  readonly value: Uint8Array
}

/** `undefined` for bytes that contain no message of Flight SQL. */
export function readNamed(given: Uint8Array): Named | undefined {
  try {
    const { typeUrl = '', value = new Uint8Array(0) } = any.decode(given)
    // Some clients omit the host, which has no meaning.
    const name = /^(?:[^/]*\/)?arrow\.flight\.protocol\.sql\.(\w+)$/.exec(typeUrl)?.[1]
    return name === undefined ? undefined : { name, value }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Arrow Flight SQL: its messages, for clients and servers, and a client. */
export type { Answer } from './client/answer.js'
export type { FlightCalls } from './client/calls.js'
export {
  type CallSettings,
  connectFlightSql,
  type FlightSqlClient,
  type Prepared,
  type TableFilter,
  type TableName,
} from './client/connect.js'
export type { ConnectOptions, TlsFiles } from './client/options.js'
export type { ParameterValue } from './client/parameter-batch.js'
export * as flight from './flight-messages.js'
export { batchParts, encapsulated, type IpcParts, ipcStream, schemaParts } from './ipc-messages.js'
export * from './protobuf.js'
export * as sql from './sql-messages.js'

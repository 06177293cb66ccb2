import { createHash } from 'node:crypto'
import type { ArrowMessage } from '@grainline/core/format'
import type { QueryTarget, SqlRequest } from '@grainline/core/surface'
import { status } from '@grpc/grpc-js'
import type { Purpose, Sealer } from '../access/sealer.js'
import { FlightError, invalid } from '../server/status.js'

export type Parameters_ = NonNullable<SqlRequest['parameters']>

/** The content of a handle or a ticket. The server keeps no copy, so any replica can continue. */
export interface Statement {
  readonly sql: string
  /** The model at the time of preparation, because some clients omit their headers later. */
  readonly target: QueryTarget
  /** `undefined` until values are bound. */
  readonly parameters?: Parameters_ | undefined
  /** The client that prepared it. No other client may use it. */
  readonly principal: string
}

/** A planned statement: `id` is for cancellation, and `columns` are those that the client was told. */
export interface PlannedStatement extends Statement {
  readonly id: string
  readonly columns: string
}

/** Opens a handle or ticket. Throws if it was sealed with another key, has expired, or belongs to another client. */
export function openStatement<S extends Statement>(sealer: Sealer, purpose: Purpose, sealed: Uint8Array, principal: string): S {
  const what = purpose === 'ticket' ? 'ticket' : 'prepared statement'
  const opened = sealer.open<S>(purpose, sealed)
  if (opened.kind === 'expired') throw new FlightError(status.NOT_FOUND, `The ${what} has expired; send the statement again`)
  if (opened.kind === 'foreign')
    throw invalid(
      `The ${what} was created by another server, or before this server was restarted; set FLIGHT_TICKET_KEY to keep it valid`,
    )
  if (opened.value.principal !== principal)
    throw new FlightError(status.PERMISSION_DENIED, `The ${what} belongs to another client`)
  return opened.value
}

/** A hash for comparing two schemas byte by byte. */
export const columnsHash = ({ header }: ArrowMessage): string =>
  createHash('sha256').update(header).digest('base64url').slice(0, 16)

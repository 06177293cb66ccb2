import { finished } from 'node:stream/promises'
import type { RecordBatch, RecordBatchReader, Schema } from 'apache-arrow'
import * as flight from '../flight-messages.js'
import { ipcStream } from '../ipc-messages.js'
import type { FlightCalls } from './calls.js'

/** The rows of an answer. They can be read once, and are read from the connection on demand. Ending early cancels the call on the server. */
export interface Answer extends AsyncIterable<RecordBatch> {
  readonly schema: Schema
  /** The schema as the server planned it. */
  readonly info: flight.FlightInfo
  /** Tells the server that the answer is no longer needed, and ends the calls. */
  cancel(): Promise<void>
}

/** Plans the query of the descriptor, and opens the first endpoint: a statement that cannot run is a rejection here. */
export async function openAnswer(
  calls: FlightCalls,
  descriptor: Uint8Array,
  { signal }: { readonly signal?: AbortSignal },
): Promise<Answer> {
  const stop = new AbortController()
  const abort = (): void => stop.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  const planned = await calls.unary('GetFlightInfo', descriptor, stop.signal)
  const info = flight.flightInfo.decode(planned)
  const tickets = (info.endpoint ?? []).map(({ ticket = {} }) => ticket)
  const first = await openEndpoint(calls, tickets[0] ?? {}, stop.signal)

  async function cancel(): Promise<void> {
    signal?.removeEventListener('abort', abort)
    if (stop.signal.aborted) return
    const told = finished(calls.stream('DoAction', cancelAction(planned)).resume()).catch(() => {})
    stop.abort()
    await told
  }

  async function* batches(): AsyncGenerator<RecordBatch, void> {
    let ended = false
    try {
      yield* first
      for (const ticket of tickets.slice(1)) yield* await openEndpoint(calls, ticket, stop.signal)
      ended = true
    } finally {
      if (ended) signal?.removeEventListener('abort', abort)
      else await cancel()
    }
  }

  return { schema: first.schema, info, cancel, [Symbol.asyncIterator]: batches }
}

const cancelAction = (info: Uint8Array): Buffer =>
  flight.action.encode({ type: 'CancelFlightInfo', body: flight.cancelFlightInfoRequest.encode({ info }) })

/** Resolves when the schema has arrived. */
async function openEndpoint(
  calls: FlightCalls,
  ticket: flight.Ticket,
  signal: AbortSignal,
): Promise<AsyncIterable<RecordBatch> & { readonly schema: Schema }> {
  const { RecordBatchReader: Reader } = await import('apache-arrow')
  const parts = calls.stream('DoGet', flight.ticket.encode(ticket), signal)
  const reader: RecordBatchReader = await Reader.from(ipcStream(decoded(parts)))
  return (await reader.open()) as AsyncIterable<RecordBatch> & { readonly schema: Schema }
}

async function* decoded(parts: AsyncIterable<unknown>): AsyncGenerator<flight.FlightData, void> {
  for await (const part of parts) yield flight.flightData.decode(part as Buffer)
}

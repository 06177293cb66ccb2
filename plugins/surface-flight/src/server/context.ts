import { randomUUID } from 'node:crypto'
import type { Asker, Principal } from '@grainline/core/surface'
import type { Metadata } from '@grpc/grpc-js'

/** A call without its request. */
export interface CallContext {
  readonly principal: Principal
  /** The headers of the client. */
  readonly metadata: Metadata
  /** Aborted if the client disconnects, cancels or exceeds its deadline. */
  readonly signal: AbortSignal
  /** Stops the work of the call with this error. */
  readonly abort: (reason: Error) => void
  readonly asker: Asker
  /** Headers that are sent before the first message of the answer. */
  readonly answerMetadata: Metadata
}

/** `peer` is an address with a port. */
export const askerOf = (principal: Principal, peer: string): Asker => ({
  principal: principal.id,
  surface: 'flight',
  requestId: randomUUID(),
  address: peer.slice(0, Math.max(0, peer.lastIndexOf(':'))),
})

/** The first value of a header; `undefined` if it is missing or empty. */
export function headerOf(metadata: Metadata, name: string): string | undefined {
  const [value] = metadata.get(name)
  return value === undefined || value.length === 0 ? undefined : String(value)
}

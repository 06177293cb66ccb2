import { randomUUID } from 'node:crypto'
import type { Asker, Principal } from '@grainline/core/surface'
import type { Metadata } from '@grpc/grpc-js'

/** The context of a call, besides its request. */
export interface CallContext {
  readonly principal: Principal
  /** The headers from the client. */
  readonly metadata: Metadata
  /** Aborted when the client goes away, cancels or runs out of time. */
  readonly signal: AbortSignal
  /** Ends the work of the call with this error. */
  readonly abort: (reason: Error) => void
  readonly asker: Asker
  /** Sent before the first message of the answer. */
  readonly answerMetadata: Metadata
}

/** `peer` is an address with its port. */
export const askerOf = (principal: Principal, peer: string): Asker => ({
  principal: principal.id,
  surface: 'flight',
  requestId: randomUUID(),
  address: peer.slice(0, Math.max(0, peer.lastIndexOf(':'))),
})

/** The first value of a header; `undefined` where there is none, or an empty one. */
export function headerOf(metadata: Metadata, name: string): string | undefined {
  const [value] = metadata.get(name)
  return value === undefined || value.length === 0 ? undefined : String(value)
}

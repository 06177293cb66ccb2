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
  principal,
  surface: 'flight',
  requestId: randomUUID(),
  address: peer.slice(0, Math.max(0, peer.lastIndexOf(':'))),
})

/**
 * A name in a header. A header has only ASCII, so a client writes other letters as in a URL (`%E5%A3%B2`); some clients send UTF-8 all the same, which
 * arrives as one character for each byte.
 */
export function nameIn(metadata: Metadata, header: string): string | undefined {
  const value = headerOf(metadata, header)
  if (value === undefined) return undefined
  const text = Buffer.from(value, 'latin1').toString()
  return decoded(text.includes('\ufffd') ? value : text)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The first value of a header; `undefined` if it is missing or empty. */
export function headerOf(metadata: Metadata, name: string): string | undefined {
  const [value] = metadata.get(name)
  return value === undefined || value.length === 0 ? undefined : String(value)
}

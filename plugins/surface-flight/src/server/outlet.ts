import type { ServerWritableStream } from '@grpc/grpc-js'

/** What gRPC needs of a message: its length, and a copy into the memory that is sent. A `Buffer` is one; others are made while they are sent. */
export interface Sendable {
  readonly byteLength: number
  copy(target: Uint8Array, at: number): unknown
}

/** Where the messages of an answer go, as fast as the client takes them. */
export interface Outlet {
  /** Resolves when the message is on its way, which is after the one before it was taken. Rejects when the client is gone. */
  send(message: Sendable): Promise<void>
}

/**
 * One message is on its way while the next one is made. gRPC's own stream counts sixteen of them, however large they are; and what it still
 * holds at a deadline it writes after the end, whose status then never arrives.
 */
export function outlet(call: ServerWritableStream<Buffer, Sendable>, signal: AbortSignal): Outlet {
  let isTaken = true
  let wake: (() => void) | undefined
  const taken = (): void => {
    isTaken = true
    wake?.()
  }
  signal.addEventListener('abort', () => wake?.(), { once: true })
  return {
    async send(message) {
      while (!isTaken && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      signal.throwIfAborted()
      isTaken = false
      call.write(message, taken)
    },
  }
}

import type { ServerWritableStream } from '@grpc/grpc-js'

/** The part of `Buffer` that gRPC needs. Other messages are encoded directly into the memory that is sent. */
export interface Sendable {
  readonly byteLength: number
  copy(target: Uint8Array, at: number): unknown
}

/** Sends the messages of an answer as fast as the client reads them. */
export interface Outlet {
  /** Resolves when the message is written, which is after the previous one was accepted. Rejects if the call has ended. */
  send(message: Sendable): Promise<void>
}

/**
 * At most one message is pending while the next one is encoded. The stream of gRPC would buffer sixteen messages of any size. At a deadline, it would
 * write them after the end of the call, and the status would not arrive.
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

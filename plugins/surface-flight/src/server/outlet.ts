import type { ServerWritableStream } from '@grpc/grpc-js'

/** Messages that may wait for the client: one on its way, and the next one. */
const MOST_WAITING = 2

/** Where the messages of an answer go, as fast as the client takes them. */
export interface Outlet {
  /** Resolves when there is room for another message. Rejects when the client is gone. */
  send(message: Uint8Array): Promise<void>
}

/**
 * gRPC's own stream counts messages, sixteen of them, however large they are; so the ones that the client has not taken yet are counted here.
 */
export function outlet(call: ServerWritableStream<unknown, Uint8Array>, signal: AbortSignal): Outlet {
  let waiting = 0
  let wake: (() => void) | undefined
  const taken = (): void => {
    waiting--
    wake?.()
  }
  signal.addEventListener('abort', () => wake?.(), { once: true })
  return {
    async send(message) {
      signal.throwIfAborted()
      waiting++
      call.write(message, taken)
      while (waiting >= MOST_WAITING && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      signal.throwIfAborted()
    },
  }
}

import type { CommandIo } from '../command.js'

/** Writes a stream at the speed of its reader; stops when the reader is gone. */
export async function writeBytes(body: ReadableStream<Uint8Array>, { stdout, unread }: CommandIo): Promise<void> {
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    if (unread?.aborted) return reader.cancel()
    if (stdout.write(value) === false) await drained(stdout, unread)
  }
}

function drained({ once }: CommandIo['stdout'], unread: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    unread?.addEventListener('abort', () => resolve(), { once: true })
    once === undefined ? resolve() : once('drain', resolve)
  })
}

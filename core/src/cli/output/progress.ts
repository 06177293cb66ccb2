import type { CommandIo } from '../command.js'

const EVERY_MS = 1000

export interface ProgressOptions {
  /** The progress, beside the seconds. */
  readonly detail?: () => string
  readonly everyMs?: number
}

/** Shows on a terminal how long an operation takes, and its progress, after its first second; the line is removed at the end. */
export async function withProgress<T>(
  what: string,
  { stderr }: Pick<CommandIo, 'stderr'>,
  work: Promise<T>,
  { detail = () => '', everyMs = EVERY_MS }: ProgressOptions = {},
): Promise<T> {
  if (stderr.isTTY !== true) return work
  const started = performance.now()
  let said = false
  const timer = setInterval(() => {
    said = true
    const seconds = Math.round((performance.now() - started) / 1000)
    stderr.write(`\r${what}: ${[detail(), `${seconds} s`].filter(Boolean).join(', ')} (Ctrl-C cancels)\u001b[K`)
  }, everyMs)
  try {
    return await work
  } finally {
    clearInterval(timer)
    if (said) stderr.write('\r\u001b[K')
  }
}

/** A stream that reports, while it is read, how much of an answer has arrived: rows if each line is a row, or else bytes. */
interface Counted {
  readonly body: ReadableStream<Uint8Array>
  readonly come: () => string
}

export function counted(body: ReadableStream<Uint8Array>, format: string): Counted {
  let [bytes, lines] = [0, 0]
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      bytes += piece.byteLength
      if (format === 'ndjson') for (const byte of piece) if (byte === LINE_FEED) lines += 1
      controller.enqueue(piece)
    },
  })
  const come = () => (format === 'ndjson' ? `${lines} ${lines === 1 ? 'row' : 'rows'}` : `${(bytes / 1e6).toFixed(1)} MB`)
  return { body: body.pipeThrough(count), come }
}

const LINE_FEED = 10

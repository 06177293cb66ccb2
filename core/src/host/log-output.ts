import { type DestinationStream, pino } from 'pino'

/** So long at most a line waits for others. */
const TOGETHER_MS = 5
/** More text than this is not collected. */
const MOST_BYTES = 8 * 1024

/** Where lines go: held back until so many bytes are there, or until they are flushed. */
export interface Held {
  write(line: string): unknown
  flushSync(): void
}

/**
 * Lines that come within a few milliseconds are written together, for a write of its own costs a request more than its line. The first one
 * after a pause is written at once, a warning or worse takes all before it along, and what is left is written when the process ends.
 */
export function logOutput(held: Held = standardOutput()): DestinationStream {
  let timer: NodeJS.Timeout | undefined
  let waiting = false
  const flush = () => {
    if (waiting) held.flushSync()
    waiting = false
  }
  const over = () => {
    timer = waiting ? later() : undefined
    flush()
  }
  const later = () => setTimeout(over, TOGETHER_MS).unref()
  process.once('exit', flush)
  const output = {
    // pino then says how severe a line is before it writes it.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string): void {
      held.write(line)
      waiting = true
      if (timer !== undefined && output.lastLevel < pino.levels.values.warn!) return
      flush()
      timer ??= later()
    },
  }
  return output
}

const standardOutput = (): Held => pino.destination({ dest: 1, sync: true, minLength: MOST_BYTES })

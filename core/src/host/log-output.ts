import { type DestinationStream, pino } from 'pino'

/** The longest time that a line waits for others. */
const TOGETHER_MS = 5
/** Maximum size of collected text. */
const MOST_BYTES = 8 * 1024

/** The target of lines: it collects them up to a size, or until they are flushed. */
export interface Held {
  write(line: string): unknown
  flushSync(): void
}

/**
 * Lines that arrive within a few milliseconds are written together, because a separate write costs more than its line. The first one
 * after a pause is written at once, a warning or worse flushes all lines before it, and the rest is written when the process ends.
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
    // pino then reports the severity of a line before it writes it.
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

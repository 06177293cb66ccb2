import { type DestinationStream, pino } from 'pino'

/** The longest time that a line waits for others. */
const TOGETHER_MS = 5
/** Text that is longer does not wait. */
const MOST_TEXT = 8 * 1024
/** The number of the level. */
const WARN = pino.levels.values.warn ?? 40

export interface LogOutput extends DestinationStream {
  /** The number of the level of the next line. pino sets it before it writes. */
  lastLevel: number
}

/**
 * Lines that arrive within a few milliseconds are written together, because a separate write costs more than its line. The first one
 * after a pause is written at once, a warning or worse flushes all lines before it, and the rest is written when the process ends.
 */
export function logOutput(write: (text: string) => void = standardOutput()): LogOutput {
  let timer: NodeJS.Timeout | undefined
  let waiting = ''
  const flush = () => {
    if (waiting === '') return
    const text = waiting
    waiting = ''
    write(text)
  }
  const over = () => {
    timer = waiting === '' ? undefined : later()
    flush()
  }
  const later = () => setTimeout(over, TOGETHER_MS).unref()
  process.once('exit', flush)
  const output = {
    // pino then sets `lastLevel`.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string): void {
      waiting += line
      if (timer !== undefined && output.lastLevel < WARN && waiting.length < MOST_TEXT) return
      flush()
      timer ??= later()
    },
  }
  return output
}

/** Returns when all of the text is written. pino's own buffer would also ask the disk to keep it, each time. */
function standardOutput(): (text: string) => void {
  const output = pino.destination({ dest: 1, sync: true })
  return (text) => void output.write(text)
}

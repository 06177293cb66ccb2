import type { CommandIo } from '../command.js'

const EVERY_MS = 1000

export interface ProgressOptions {
  /** How far it is, beside the seconds. */
  readonly detail?: () => string
  readonly everyMs?: number
}

/** Says on a terminal how long something takes, and how far it is, from its first second on; the line goes when it ends. */
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

import type { CommandIo } from '../command.js'

const EVERY_MS = 1000

/** Says on a terminal how long something takes, from its first second on; the line goes when it ends. */
export async function withProgress<T>(what: string, { stderr }: CommandIo, work: Promise<T>): Promise<T> {
  if (stderr.isTTY !== true) return work
  const started = performance.now()
  let said = false
  const timer = setInterval(() => {
    said = true
    stderr.write(`\r${what}: ${Math.round((performance.now() - started) / 1000)} s (Ctrl-C cancels)`)
  }, EVERY_MS)
  try {
    return await work
  } finally {
    clearInterval(timer)
    if (said) stderr.write('\r\u001b[K')
  }
}

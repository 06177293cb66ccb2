/** Grainline as a separate process, as users start it, with a fresh environment and its own folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

const bin = fileURLToPath(new URL('../../config/bin.cjs', import.meta.url))

export interface Started {
  readonly stdout: () => string
  readonly stderr: () => string
  /** Resolves when the text appears in the output; rejects if the process ends first. */
  shows(pattern: RegExp): Promise<RegExpExecArray>
  readonly ended: Promise<number | null>
  signal(name: NodeJS.Signals): void
  /** Closes the reading end of its output, like `| head`. */
  stopReading(): void
}

/**
 * The command that runs `grainline …args`. scripts/run-tests.mjs bundles the program first: its one file starts in a sixth of the processor
 * time of the bundles of the tests.
 */
export const processOf = (args: readonly string[]) => ({ command: process.execPath, args: [bin, ...args] })

/** Starts `grainline …args`, and stops it at the end of the test. */
export function start(
  t: Test,
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Started {
  const own = processOf(args)
  const child = spawn(own.command, own.args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const ended = once(child, 'close').then(([code]) => code as number | null)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const signal = (name: NodeJS.Signals) => void child.kill(name)
  const stopReading = () => void child.stdout.destroy()
  return {
    stdout,
    stderr,
    ended,
    signal,
    stopReading,
    shows: (pattern) => waitFor(child, pattern, () => stdout() + stderr(), ended),
  }
}

/** Waits for the end of the process. */
export async function run(t: Test, args: readonly string[], options: { cwd: string; env?: Record<string, string> }) {
  const { ended, stdout, stderr } = start(t, args, options)
  return { code: await ended, stdout: stdout(), stderr: stderr() }
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = ''
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return () => text
}

async function waitFor(
  child: ChildProcess,
  pattern: RegExp,
  text: () => string,
  ended: Promise<unknown>,
): Promise<RegExpExecArray> {
  let over = false
  void ended.then(() => {
    over = true
  })
  for (;;) {
    const found = pattern.exec(text())
    if (found !== null) return found
    if (over) throw new Error(`the process ended without showing ${pattern}\n${text()}`)
    await Promise.race([once(child.stdout!, 'data'), once(child.stderr!, 'data'), ended])
  }
}

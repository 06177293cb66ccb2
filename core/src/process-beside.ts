/** A process beside the server does work that may take too much memory, or end the process that does it. A module starts itself in it. */
import { type ChildProcess, fork } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** What a process needs to find its libraries. It gets no other variables of the environment, and so no secrets. */
const ENVIRONMENT = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TMPDIR', 'TEMP']

/** How a process beside the server is started. */
export interface ProcessOptions {
  /** The command line after the module. The first word is the role of the process, and tells the module that it runs there. */
  readonly args: readonly string[]
  /** Options of Node, such as the size of the heap. */
  readonly execArgv?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Pipes beside the channel of the messages, as descriptors from 4. */
  readonly pipes?: number
}

/**
 * Starts the module `self` (its `import.meta.url`: TypeScript source under tsx, or a bundle that contains it) in a process whose only door is a channel of
 * messages.
 */
export function startBeside(self: string, { args, execArgv = [], env = {}, pipes = 0 }: ProcessOptions): ChildProcess {
  const loader = self.endsWith('.ts') ? ['--conditions=@grainline/source', '--import', import.meta.resolve('tsx')] : []
  const kept = ENVIRONMENT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  return fork(fileURLToPath(self), [...args], {
    execArgv: [...loader, ...execArgv],
    env: { ...Object.fromEntries(kept), ...env },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', ...Array.from({ length: pipes }, () => 'pipe' as const)],
  })
}

/** In the process: it ends with the server, and by the server alone. Where memory is scarce, it ends before the server does. */
export function endWithServer(): void {
  writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined)
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
}

/** The command line. Each command is imported on first use, so that `--help` is fast. */
import type { HostConfig } from '../host/config.js'
import { type FindHeldPlugin, holdPlugins } from '../host/held-plugins.js'
import { didYouMean, nearest } from '../nearest.js'
import { type Environment, readEnvironment } from '../settings/environment.js'
import { type CommandIo, UsageError } from './command.js'
import { interrupts } from './interrupts.js'
import { report } from './report.js'
import { type ExtraCommands, everyCommand, usageOf, usageOfCommand } from './usage.js'

export type { CommandIo } from './command.js'
export { Interrupted } from './interrupts.js'
export { pluginsOfConfig } from './plugins-of-config.js'
export type { ExtraCommands } from './usage.js'

/** Runs one command. Resolves to the exit code: 0 for success, 1 for an error, 2 for a wrong call, 130 for an interrupt. */
export async function main(args: string[], io: CommandIo, extra: ExtraCommands = {}): Promise<number> {
  const [name = '--help', ...rest] = args
  try {
    if (HELP.has(name)) return say(io, usageOf(extra))
    if (VERSIONS.has(name)) return say(io, `${(await import('../host/version.js')).VERSION}\n`)
    const added = Object.hasOwn(extra, name) ? extra[name] : undefined
    const entry = Object.hasOwn(everyCommand, name) ? everyCommand[name] : undefined
    const shown = added ?? entry
    if (shown && rest.some((argument) => argument === '--help' || argument === '-h')) return say(io, usageOfCommand(name, shown))
    if (added !== undefined) return await added.run(rest)
    if (entry === undefined) {
      const known = [...Object.keys(everyCommand), ...Object.keys(extra)]
      throw new UsageError(`There is no command '${name}'${didYouMean(nearest(name, known, 1))}`)
    }
    return await (await entry.load()).run(rest, { ...io, added: extra })
  } catch (error) {
    return report(error, io)
  }
}

/** For commands of a distribution that serve: runs `config` until a signal ends it, like `serve`. */
export async function serveUntilEnd(config: HostConfig, environment: Environment): Promise<number> {
  return (await import('./serve.js')).serveUntilEnd(config, environment)
}

/** The additions of a distribution in one file. */
export interface OneFile {
  /** The plugins that it contains. */
  readonly plugin: FindHeldPlugin
  /** Called once a server listens. */
  readonly serving: () => void
}

/** The command line of this process: its arguments, variables and streams. Ends the process when all output is written. */
export async function runProcess(defaultConfig: string, extra: ExtraCommands = {}, oneFile?: OneFile): Promise<void> {
  if (oneFile !== undefined) holdPlugins(oneFile.plugin)
  const { stdout, stderr, stdin } = process
  const { process: env } = readEnvironment()
  const unread = whenUnread(stdout)
  whenUnread(stderr)
  const streams = { stdout, stderr, stdin, unread, interrupted: interrupts() }
  const io = { ...streams, cwd: process.cwd(), env, defaultConfig, ...(oneFile && { serving: oneFile.serving }) }
  const code = await main(process.argv.slice(2), io, extra)
  process.exitCode = code
  // Open resources of a plugin must not keep the process alive, and the output must not be cut off.
  stdout.write('', () => stderr.write('', () => process.exit(code)))
}

/** A reader that closes the pipe (`| head`) is not an error; any other error of the stream is. */
function whenUnread(stream: NodeJS.WriteStream): AbortSignal {
  const controller = new AbortController()
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    controller.abort(error)
  })
  return controller.signal
}

const HELP: ReadonlySet<string> = new Set(['--help', '-h', 'help'])
const VERSIONS: ReadonlySet<string> = new Set(['--version', '-v', 'version'])

function say({ stdout }: CommandIo, text: string): number {
  stdout.write(text)
  return 0
}

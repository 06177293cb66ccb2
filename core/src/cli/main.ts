/** The command line. Each command is imported when it is asked for, so that `--help` costs nothing. */
import { GrainlineError } from '../errors.js'
import type { HostConfig } from '../host/config.js'
import { didYouMean, nearest } from '../nearest.js'
import { type Environment, readEnvironment } from '../settings/environment.js'
import { type Command, type CommandIo, UsageError } from './command.js'

export type { CommandIo } from './command.js'

/** Commands that a distribution adds: a line of the usage, and what runs. Each resolves to the exit code. */
export type ExtraCommands = Readonly<
  Record<string, { readonly usage: string; readonly run: (args: string[]) => Promise<number> }>
>

/** Runs one command. Resolves to the exit code: 0 when it went well, 1 when it failed, 2 when it was called wrongly. */
export async function main(args: string[], io: CommandIo, extra: ExtraCommands = {}): Promise<number> {
  const [name = '--help', ...rest] = args
  try {
    if (HELP.has(name)) return say(io, usageWith(extra))
    if (VERSIONS.has(name)) return say(io, `${(await import('../host/version.js')).VERSION}\n`)
    if (Object.hasOwn(extra, name)) return await extra[name]!.run(rest)
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (load === undefined)
      throw new UsageError(`There is no command '${name}'${didYouMean(nearest(name, Object.keys(commands), 1))}`)
    if (rest.some((argument) => argument === '--help' || argument === '-h')) return say(io, usage)
    return await (await load()).run(rest, io)
  } catch (error) {
    return report(error, io)
  }
}

/** For commands of a distribution that serve: `config` until a signal ends it, as `serve` does. */
export async function serveUntilEnd(config: HostConfig, environment: Environment): Promise<number> {
  return (await import('./serve.js')).serveUntilEnd(config, environment)
}

/** The command line of this process: its arguments, variables and streams. Ends the process once everything is written. */
export async function runProcess(defaultConfig: string, extra: ExtraCommands = {}): Promise<void> {
  const { stdout, stderr } = process
  const { process: env } = readEnvironment()
  const unread = whenUnread(stdout)
  whenUnread(stderr)
  const code = await main(process.argv.slice(2), { stdout, stderr, unread, cwd: process.cwd(), env, defaultConfig }, extra)
  process.exitCode = code
  // What a plugin left open must not keep the process, and what is written must not be cut off.
  stdout.write('', () => stderr.write('', () => process.exit(code)))
}

/** A reader that has had enough (`| head`) is no failure of ours; any other error of the stream is. */
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

const commands: Readonly<Record<string, () => Promise<{ readonly run: Command }>>> = {
  serve: () => import('./serve.js'),
  plugins: () => import('./plugins.js'),
  init: () => import('./init.js'),
  validate: () => import('./validate.js'),
  compile: () => import('./compile.js'),
  execute: () => import('./execute.js'),
  verify: () => import('./verify.js'),
  test: () => import('./test.js'),
  request: () => import('./request.js'),
}

const usage = `Usage: grainline <command> [options]

  serve                          runs the server
  plugins [--json]               shows what is loaded, from where, and how long each took
  init [--output FILE]           writes a first model from the tables of the database  [--name NAME] [--schema NAME] [--no-probe]
  validate MODEL [--json]        checks a model
  compile MODEL --query QUERY    shows the SQL of a question  [--dialect NAME] [--explain]
  execute MODEL --query QUERY    answers a question  [--format table|json]
  verify MODEL [--json]          proves a model against its data
  test MODEL [--json]            runs the tests of a model  [--junit FILE] [--sarif FILE]
  request METHOD PATH            asks a server that runs  [--server URL] [--data JSON|@FILE] [--client-cert FILE --client-key FILE]
                                 [--server-ca FILE]; its key is that of SVC_API_KEY

  QUERY is JSON, or @FILE that holds it; --sql STATEMENT asks in SQL instead. Every command takes --config FILE.
  --help, --version

Settings come from environment variables, from .env in the working directory, and from the config file.
`

function usageWith(extra: ExtraCommands): string {
  const lines = Object.values(extra).map(({ usage: line }) => `  ${line}\n`)
  return usage.replace(/\n\n {2}QUERY/, `\n${lines.join('')}\n  QUERY`)
}

function say({ stdout }: CommandIo, text: string): number {
  stdout.write(text)
  return 0
}

interface NetworkFault {
  readonly code?: string
  readonly address?: string
  readonly hostname?: string
  readonly port?: number
  readonly cause?: unknown
  readonly errors?: readonly unknown[]
}

/** Where a connection was tried: clients of a server are not to know that, but who calls a command is. */
function placesTried(error: unknown, depth = 0): string[] {
  const { code, address, hostname, port, cause, errors = [] } = (error ?? {}) as NetworkFault
  const place = address ?? hostname
  const own = place === undefined ? [] : [`${code ?? 'failed'} at ${place}${port === undefined ? '' : ` port ${port}`}`]
  const inner = depth > 5 ? [] : [cause, ...errors].filter(Boolean).flatMap((each) => placesTried(each, depth + 1))
  return [...new Set([...own, ...inner])]
}

/** The first sentence: what Node adds to it are hints that do not fit here. */
const sentence = (message: string): string => message.split(/\.\s/)[0]!.replace(/\.$/, '')

function report(error: unknown, { stderr }: CommandIo): number {
  if (error instanceof UsageError || String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS_')) {
    stderr.write(`${sentence((error as Error).message)} (grainline --help shows every command)\n`)
    return 2
  }
  if (error instanceof GrainlineError) {
    const { hint } = error.details
    const others = (error.details.findings ?? []).slice(1).filter(() => error.code !== 'MODEL_INVALID')
    const lines = [
      ...(hint && !error.message.includes(hint) ? [hint] : []),
      ...others.map(({ message, path }) => `${message}${path === '' ? '' : ` (${path})`}`),
      ...placesTried(error),
    ]
    stderr.write(`${error.code}: ${error.message}\n${lines.map((line) => `  ${line}\n`).join('')}`)
    return 1
  }
  stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  return 1
}

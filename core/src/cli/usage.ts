import { type CommandEntry, commands } from './commands.js'

/** A command of a distribution: it parses its arguments itself, and resolves to the exit code. */
export interface ExtraCommand {
  /** The arguments after the name. */
  readonly usage: string
  readonly does: string
  /** Its flags, for the completion of shells. */
  readonly flags: readonly string[]
  readonly run: (args: string[]) => Promise<number>
}
export type ExtraCommands = Readonly<Record<string, ExtraCommand>>

export function usageOf(extra: ExtraCommands): string {
  const all = Object.entries({ ...everyCommand, ...extra }).map(([name, { does }]) => `  ${name.padEnd(11)} ${does}\n`)
  return `Usage: grainline <command> [options]\n\n${all.join('')}\n${SHARED}`
}

export function usageOfCommand(name: string, { usage, does }: Pick<ExtraCommand, 'usage' | 'does'>): string {
  return `Usage: grainline ${[name, usage].filter(Boolean).join(' ')}\n\n  ${does}\n\n${SHARED}`
}

const SHARED = `MODEL is a file, or - for the standard input. A server is asked with --server URL (GRAINLINE_SERVER) in place of a file: --model NAME chooses one of
its models, --api-key KEY (GRAINLINE_API_KEY) is its key; --client-cert FILE, --client-key FILE and --ca FILE are for TLS.

QUESTION is --query JSON (or @FILE, or -), --sql STATEMENT, or fields:
  -d DIMENSION[:grain]  -m MEASURE  -w 'FIELD = VALUE'  --having CONDITION  -o FIELD[:desc]  -n LIMIT  --offset N  --timezone ZONE
Names may be written as in the model or as flight_count. --config FILE chooses the configuration.

Exit codes: 0 it went well, 1 it failed or found faults, 2 called wrongly, 130 interrupted.
grainline <command> --help shows one command; --version the version.
Settings come from environment variables, from .env in the working directory, and from the config file.
`

/** Every command; the completion, which reads the others, is the last. */
export const everyCommand: Readonly<Record<string, CommandEntry>> = {
  ...commands,
  completion: { usage: 'bash|zsh|fish', does: 'writes the completion of a shell', load: () => import('./completion.js') },
}

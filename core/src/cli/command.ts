/** What every command of the command line shares. */
import { parseArgs } from 'node:util'

export interface CommandIo {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
  /** Aborts when nobody reads the output any more, as after `| head`: a command with more to say may stop. */
  readonly unread?: AbortSignal
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The config file of the distribution, for when `--config` is absent. */
  readonly defaultConfig?: string
}

/** Resolves to the exit code. */
export type Command = (args: string[], io: CommandIo) => Promise<number>

/** Called wrongly: the message is one line, the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

type Flags = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>

/** The values of the flags; anything else on the line is refused. */
export function readFlags<const F extends Flags>(
  args: string[],
  options: F,
): ReturnType<typeof parseArgs<{ args: string[]; options: F; strict: true; allowPositionals: false }>>['values'] {
  return parseArgs({ args, options, strict: true, allowPositionals: false }).values
}

/** What every command of the command line shares. */
import { parseArgs } from 'node:util'

export interface Output {
  write(text: string | Uint8Array): unknown
  /** True where a person reads it. */
  readonly isTTY?: boolean
  /** Of a stream that may be full: `write` then gives false. */
  once?(event: 'drain', run: () => void): unknown
}

export interface CommandIo {
  readonly stdout: Output
  readonly stderr: Output
  /** The input that `-` reads. */
  readonly stdin?: AsyncIterable<Uint8Array | string>
  /** Aborts when the output is no longer read, as after `| head`: a command with more to say may stop. */
  readonly unread?: AbortSignal
  /** From the first call on, Ctrl-C aborts the signal and does not end the process; a second one does. */
  readonly interrupted?: () => AbortSignal
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Commands that the distribution adds, by their names. */
  readonly added?: Readonly<Record<string, { readonly does: string; readonly flags: readonly string[] }>>
  /** The config file of the distribution, for when `--config` is absent. */
  readonly defaultConfig?: string
  /** Called once a server listens. */
  readonly serving?: () => void
}

/** Resolves to the exit code. */
export type Command = (args: string[], io: CommandIo) => Promise<number>

/** Called wrongly: the message is one line, the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export type Flags = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>

/** The values of the flags; anything else on the line is refused. */
export function readFlags<const F extends Flags>(
  args: string[],
  options: F,
): ReturnType<typeof parseArgs<{ args: string[]; options: F; strict: true; allowPositionals: false }>>['values'] {
  return parseArgs({ args, options, strict: true, allowPositionals: false }).values
}

/** The values of the flags, and the positional arguments. */
export function readArguments<const F extends Flags>(
  args: string[],
  options: F,
): ReturnType<typeof parseArgs<{ args: string[]; options: F; strict: true; allowPositionals: true }>> {
  return parseArgs({ args, options, strict: true, allowPositionals: true })
}

/** One of the values that a flag takes. */
export function choiceOf<const T extends readonly string[]>(flag: string, given: string, choices: T): T[number] {
  const found = choices.find((choice) => choice === given)
  if (found === undefined) throw new UsageError(`--${flag} is ${listed(choices)}, not '${given}'`)
  return found
}

const listed = (choices: readonly string[]): string => `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`

/** What a server of this version answers to a request, as its routes declare it. */
export const jsonOf = async <T>(answer: Response): Promise<T> => (await answer.json()) as T

/** What all commands of the command line share. */
import { parseArgs } from 'node:util'

export interface Output {
  write(text: string | Uint8Array): unknown
  /** True if it is a terminal. */
  readonly isTTY?: boolean
  /** `write` returns false if the buffer of the stream is full. */
  once?(event: 'drain', run: () => void): unknown
}

export interface CommandIo {
  readonly stdout: Output
  readonly stderr: Output
  /** The input that `-` reads. */
  readonly stdin?: AsyncIterable<Uint8Array | string>
  /** Aborts when the output is no longer read, as after `| head`: a command with more output may stop. */
  readonly unread?: AbortSignal
  /** From the first call on, Ctrl-C aborts the signal and does not end the process; a second one does. */
  readonly interrupted?: () => AbortSignal
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Commands that the distribution adds, by their names. */
  readonly added?: Readonly<Record<string, { readonly does: string; readonly flags: readonly string[] }>>
  /** The config file of the distribution, which is used without `--config`. */
  readonly defaultConfig?: string
  /** Called once a server listens. */
  readonly serving?: () => void
}

/** Resolves to the exit code. */
export type Command = (args: string[], io: CommandIo) => Promise<number>

/** A wrong call: the message is one line, the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export type Flags = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>

/** The values of the flags; everything else on the line is refused. */
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

/** One of the values that a flag accepts. */
export function choiceOf<const T extends readonly string[]>(flag: string, given: string, choices: T): T[number] {
  const found = choices.find((choice) => choice === given)
  if (found === undefined) throw new UsageError(`--${flag} is ${listed(choices)}, not '${given}'`)
  return found
}

const listed = (choices: readonly string[]): string => `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`

/** The response of a server of this version to a request, as its routes declare it. */
export const jsonOf = async <T>(answer: Response): Promise<T> => (await answer.json()) as T

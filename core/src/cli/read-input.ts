import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fail } from '../errors.js'
import { codeOf, messageOf } from '../invariant.js'
import { type CommandIo, UsageError } from './command.js'

/** A model as it was read. */
export interface ModelText {
  readonly file: string
  readonly source: string
}

/** The text of a file; `-` is the standard input. */
export async function readInput(file: string, io: CommandIo): Promise<string> {
  return file === '-' ? readStdin(io) : (await readBytes(file, io)).toString('utf8')
}

export async function readBytes(file: string, { cwd }: Pick<CommandIo, 'cwd'>): Promise<Buffer> {
  const full = path.resolve(cwd, file)
  try {
    return await readFile(full)
  } catch (cause) {
    const reason =
      codeOf(cause) === 'EISDIR'
        ? 'is a folder, and not a file; verify and other commands read a project of another product with --from FORMAT'
        : `cannot be read: ${messageOf(cause)}`
    return fail('INVALID_REQUEST', `${full} ${reason}`, { path: full, cause })
  }
}

/** A value of a flag: the text itself, `@file` that contains it, or `-` for the standard input. */
export function readValue(given: string, io: CommandIo): Promise<string> {
  if (given === '-') return readStdin(io)
  return given.startsWith('@') ? readInput(given.slice(1), io) : Promise.resolve(given)
}

const taken = new WeakSet<object>()

/** The standard input can be read once: a second `-` would be empty. */
async function readStdin({ stdin }: CommandIo): Promise<string> {
  if (stdin === undefined) throw new UsageError("'-' reads the standard input, and there is none")
  if (taken.has(stdin)) throw new UsageError("'-' can be used once: the standard input is read already")
  taken.add(stdin)
  const pieces: Uint8Array[] = []
  for await (const piece of stdin) pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece)
  return Buffer.concat(pieces).toString('utf8')
}

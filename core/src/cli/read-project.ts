import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Importer } from '../model/importer.js'
import { type CommandIo, UsageError } from './command.js'
import { readInput } from './read-input.js'

/** A model of another product as one text. */
export interface Project {
  readonly text: string
  /** The file that contains a line of the text, and the line in the text at which this file begins. */
  readonly fileOf: (line: number) => { readonly file: string; readonly first: number }
}

/** Reads a file, or the files of a folder that the importer asks for, one document after another. */
export async function readProject(given: string, { name, files }: Importer, io: CommandIo): Promise<Project> {
  const folder = path.resolve(io.cwd, given)
  if (given === '-' || !(await isFolder(folder))) {
    return { text: await readInput(given, io), fileOf: () => ({ file: given, first: 1 }) }
  }
  if (!files) throw new UsageError(`A model of the format ${name} is one file, and ${given} is a folder`)
  const found = (await readdir(folder, { recursive: true })).filter((file) => files(file)).sort()
  if (found.length === 0) throw new UsageError(`${given} has no files of the format ${name}`)
  const parts: { readonly file: string; readonly first: number }[] = []
  const texts: string[] = []
  let first = 1
  for (const file of found) {
    const text = await readInput(path.join(folder, file), io)
    texts.push(text)
    parts.push({ file: path.join(given, file), first })
    // The line that separates it from the next file.
    first += text.split('\n').length + 1
  }
  return {
    text: texts.join('\n---\n'),
    fileOf: (line) => parts.findLast(({ first }) => first <= line) ?? { file: given, first: 1 },
  }
}

const isFolder = async (file: string): Promise<boolean> => {
  try {
    return (await stat(file)).isDirectory()
  } catch {
    return false
  }
}

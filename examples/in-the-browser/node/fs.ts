/** The files of the tab: those that `place` was given. Nothing is written. */
import { Buffer } from 'node:buffer'
import path from 'node:path'

const files = new Map<string, Uint8Array>()

/** Adds a file, or replaces it. */
export const place = (file: string, content: string | Uint8Array): void =>
  void files.set(path.resolve(file), typeof content === 'string' ? Buffer.from(content) : content)

const absent = (file: string): Error =>
  Object.assign(new Error(`ENOENT: no such file or directory, open '${file}'`), { code: 'ENOENT', path: file })

const isFolder = (file: string): boolean => [...files.keys()].some((each) => each.startsWith(file === '/' ? '/' : `${file}/`))

export function readFileSync(file: string, encoding?: BufferEncoding | { readonly encoding?: BufferEncoding }): Buffer | string {
  const found = files.get(path.resolve(String(file)))
  if (found === undefined) throw absent(file)
  const named = typeof encoding === 'object' ? encoding.encoding : encoding
  return named === undefined ? Buffer.from(found) : Buffer.from(found).toString(named)
}

export const existsSync = (file: string): boolean => files.has(path.resolve(file)) || isFolder(path.resolve(file))

export function statSync(file: string) {
  const found = files.get(path.resolve(file))
  if (found === undefined && !isFolder(path.resolve(file))) throw absent(file)
  return { size: found?.length ?? 0, mtimeMs: 0, isFile: () => found !== undefined, isDirectory: () => found === undefined }
}

export function readdirSync(folder: string): string[] {
  const start = `${path.resolve(folder)}/`
  const names = [...files.keys()]
    .filter((each) => each.startsWith(start))
    .map((each) => each.slice(start.length).split('/')[0] ?? '')
  if (names.length === 0) throw absent(folder)
  return [...new Set(names)]
}

export function createWriteStream(file: string): never {
  throw new Error(`A tab of a browser has no file ${file} to write to`)
}

export const writeSync = (descriptor: number): never => createWriteStream(String(descriptor))

export const promises = {
  writeFile: async (file: string): Promise<never> => createWriteStream(file),
  readFile: async (file: string, encoding?: BufferEncoding) => readFileSync(file, encoding),
  readdir: async (folder: string) => readdirSync(folder),
  stat: async (file: string) => statSync(file),
  realpath: async (file: string) => path.resolve(file),
}
export const { writeFile, readFile, readdir, stat, realpath } = promises
export const constants = {}
export default { readFileSync, existsSync, statSync, readdirSync, createWriteStream, writeSync, promises, constants }

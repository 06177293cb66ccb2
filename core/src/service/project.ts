/** A model of the operator as one text: that of a file, or of the files of a folder, one document after another. */
import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Finding } from '../errors.js'
import { codeOf, messageOf } from '../invariant.js'
import { MOST_CHARACTERS } from '../model/apart.js'
import type { Importer } from '../model/importer.js'
import type { Point } from '../point.js'
import { filesOfFolder } from './files-of-folder.js'
import { similarFile } from './similar-file.js'

/** Where a model is: a file, or a file or folder in the format of an importer. */
export interface ModelSource {
  readonly file: string
  /** The name of the importer; without it, the text itself shows its format. */
  readonly format?: string | undefined
}

export interface Project {
  readonly text: string
  /** The file that contains a line of the text, and the line in the text at which this file begins. */
  readonly fileOf: (line: number) => { readonly file: string; readonly first: number }
}

/** The text of a source, or why it cannot be read. */
export async function readProject(
  given: string,
  { name, files, detect, mostBytes = MOST_CHARACTERS }: Reader,
  importers: Iterable<Importer> = [],
): Promise<Project | Refusal> {
  try {
    const found = await stat(given)
    if (!found.isDirectory()) {
      // It is not read, because its text would be refused.
      if (found.size > mostBytes) return { refused: `has more than ${mostBytes / 1_000_000} MB: name a part of the project.` }
      const bytes = await readFile(given)
      const text = textOf(bytes)
      return text === undefined ? { refused: `is ${noText(bytes)}.` } : projectOfFile(given, text)
    }
    const all = await filesOfFolder(given)
    const parts = files ? all.filter((file) => files(file)) : []
    if (parts.length > 0) return await joined(given, parts)
    const [only, ...more] = files || !detect ? [] : await filesOfFormat(given, all, detect)
    if (only && more.length === 0) return only
    const other = only ? undefined : await formatOfFolder(given, all, importers)
    const why =
      files || (detect && !only)
        ? `has no files of the format ${name}`
        : `is a folder, and a model of the format ${name} is one file`
    if (other === undefined)
      return { refused: only ? `${why}: name it, such as ${path.basename(only.fileOf(1).file)}.` : `${why}.` }
    return { refused: `${why}; its files look like the format ${other}: name it (${other}:PATH, or --from ${other}).` }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') return { refused: `cannot be read (${messageOf(error)}).` }
    return { refused: `does not exist${similarFile(given)}.` }
  }
}

/** What reads the text of a project. */
type Reader = Pick<Importer, 'name' | 'files'> & { readonly detect?: Importer['detect']; readonly mostBytes?: number }

/** A format whose models are one file: the files of a folder, but not of the folders in it, that are such models. */
async function filesOfFormat(folder: string, all: readonly string[], detect: Importer['detect']): Promise<readonly Project[]> {
  const found: Project[] = []
  for (const name of all.filter((each) => TEXTS.test(each) && path.basename(each) === each)) {
    const project = await joined(folder, [name])
    if ('text' in project && detect({ text: project.text })) found.push(project)
  }
  return found
}

const TEXTS = /\.(ya?ml|json|sql)$/i

/** The format that the text of the files of a folder shows. */
async function formatOfFolder(
  folder: string,
  all: readonly string[],
  importers: Iterable<Importer>,
): Promise<string | undefined> {
  for (const { name, files, detect } of importers) {
    const found = files ? all.filter((file) => files(file)) : []
    const project = found.length > 0 ? await joined(folder, found) : undefined
    if (project && 'text' in project && detect({ text: project.text })) return name
  }
  return undefined
}

/** Why there is no text: the end of a sentence about the file. */
export interface Refusal {
  readonly refused: string
}

export const projectOfFile = (file: string, text: string): Project => ({ text, fileOf: () => ({ file, first: 1 }) })

async function joined(folder: string, files: readonly string[]): Promise<Project | Refusal> {
  const large = await tooLarge(folder, files)
  if (large !== undefined) return large
  const root = await realpath(folder)
  const parts: FilePart[] = []
  const texts: string[] = []
  let first = 1
  for (const name of files) {
    const file = path.join(folder, name)
    const text = await readPart(file, root).catch((error: unknown) => ({ reason: messageOf(error) }))
    if (typeof text !== 'string') return { refused: `has a file that cannot be read: ${name} (${text.reason}).` }
    texts.push(text)
    parts.push({ file, first })
    // The line that separates it from the next file.
    first += text.split('\n').length + 1
  }
  return {
    text: texts.join('\n---\n'),
    fileOf: (line) => partAt(line, parts) ?? { file: folder, first: 1 },
  }
}

interface FilePart {
  readonly file: string
  readonly first: number
}

/** The last part that begins at the line or before it. There may be as many lines of a list as files. */
function partAt(line: number, parts: readonly FilePart[]): FilePart | undefined {
  let [least, most] = [0, parts.length]
  while (least < most) {
    const middle = Math.floor((least + most) / 2)
    if ((parts[middle]?.first ?? 0) <= line) least = middle + 1
    else most = middle
  }
  return parts[least - 1]
}

/** No importer reads so much: it is not read from the disk either. */
async function tooLarge(folder: string, files: readonly string[]): Promise<Refusal | undefined> {
  let left = MOST_CHARACTERS
  for (const name of files) {
    // One that cannot be read is named when it is read.
    left -= (await stat(path.join(folder, name)).catch(() => undefined))?.size ?? 0
    if (left < 0)
      return {
        refused: `has more than ${MOST_CHARACTERS / 1_000_000} MB of files: name a folder in it, such as that of ${name}.`,
      }
  }
  return undefined
}

/** The text of a file of a folder, or why there is none: a link may lead out of the folder, and a pipe never ends. */
async function readPart(file: string, root: string): Promise<string | { readonly reason: string }> {
  const inside = path.relative(root, await realpath(file))
  if (inside.startsWith('..') || path.isAbsolute(inside)) return { reason: 'it is a link out of the folder' }
  if (!(await stat(file)).isFile()) return { reason: 'it is no file' }
  const bytes = await readFile(file)
  return textOf(bytes) ?? { reason: `it is ${noText(bytes)}` }
}

/** Zip and gzip by their first bytes. */
const noText = (bytes: Uint8Array): string =>
  /^(504b0304|1f8b)/.test(Buffer.from(bytes.subarray(0, 4)).toString('hex'))
    ? 'an archive: unpack it, and name its folder'
    : 'no text in UTF-8'

/** Without a byte order mark; `undefined` for bytes that are no UTF-8, which would be read as other names. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** `FORMAT:PATH`, or the path of a file in any known format. */
export function sourceOf(given: string, importers: Point<Importer>): { readonly path: string; readonly format?: string } {
  const [, format = '', rest = ''] = /^([a-z][a-z0-9-]+):(.+)$/s.exec(given) ?? []
  return importers.has(format) ? { format, path: rest } : { path: given }
}

/** A model of this server is one file, and has its own limits. */
export const OWN = { name: 'of this server', mostBytes: Number.POSITIVE_INFINITY }

/** The text of a model of the operator. */
export function readSource({ file, format }: ModelSource, importers: Point<Importer>): Promise<Project | Refusal> {
  return readProject(file, format === undefined ? OWN : importers.get(format), importers)
}

/** A finding about a text, at its place in the file that contains it. */
export function inProject(finding: Finding, { fileOf }: Pick<Project, 'fileOf'>): Finding {
  const { file, first } = fileOf(finding.line ?? 1)
  return inFile(finding.line === undefined ? finding : { ...finding, line: finding.line - first + 1 }, file)
}

export function inFile(finding: Finding, file: string): Finding {
  return { ...finding, context: { ...finding.context, file } }
}

import { readFile, realpath } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { type Finding, GrainlineError } from '../errors.js'
import { codeOf } from '../invariant.js'
import type { AuthorRights } from '../model/author-rights.js'
import type { ModelDocument } from '../model/document.js'
import type { Importer } from '../model/importer.js'
import { loadModel } from '../model/load-apart.js'
import type { LoadedModel, LoadRequest } from '../model/load-model.js'
import { readText } from '../model/parse/read-text.js'
import type { Point } from '../point.js'
import type { Settings } from '../settings/core-variables.js'
import { clientOf } from './asking.js'
import type { Catalogue } from './catalogue.js'
import type { ModelRequest } from './held-models.js'
import { importerNamed, loadForeign } from './import-document.js'
import { withOtherFormat } from './other-format.js'
import type { ModelSource } from './project.js'
import type { TypedByDatabase } from './typed-by-database.js'

/** What every document is read with. */
export interface Reading extends Catalogue {
  /** Entries that one list or mapping may have. */
  readonly mostEntries: number
  /** The formats besides that of this server. */
  readonly importers: Point<Importer>
  /** Packages of plugins that are not installed. */
  readonly absent?: readonly string[] | undefined
  /** Gives columns of other formats the types that the database says. */
  readonly typed?: TypedByDatabase | undefined
}

/** A document that a client sent, and its text; `inherits` has been looked up already. */
export interface Sent {
  readonly request: ModelRequest
  readonly text: string
  readonly parent: ModelDocument | undefined
  readonly rights: AuthorRights
}

export async function loadSent(
  { request, text, parent, rights }: Sent,
  { importers, absent, typed, ...rules }: Reading,
): Promise<LoadedModel> {
  const { model_yaml: yaml, model_json: json, format } = request
  const client = request.asker && clientOf(request.asker)
  const load = (document: Pick<LoadRequest, 'text' | 'json' | 'places'>) =>
    loadModel({
      rights,
      ...(client && { client }),
      ...document,
      ...(request.extends && { extends: request.extends }),
      ...(parent && { parent }),
      ...rules,
    })
  const source = { text, ...(client && { client }) }
  if (format != null) return loadForeign(importerNamed(format, importers, absent), source, { importers, typed }, load)
  const loaded = await load(yaml == null ? { json } : { text: yaml })
  return { ...loaded, errors: await withOtherFormat(loaded.errors, source, importers) }
}

/** What stops the reading of one file is an error of this file. */
async function asErrors(loading: Promise<LoadedModel>): Promise<LoadedModel> {
  try {
    return await loading
  } catch (error) {
    if (!(error instanceof GrainlineError)) throw error
    return { errors: [error.toFinding()], warnings: [] }
  }
}

/** The text of a model file; `above` are the files that inherit from it. */
interface ModelText extends ModelSource {
  readonly text: string
  readonly above?: readonly string[] | undefined
}

/** A document of the operator: `inherits` and `extends` may be paths relative to its file, inside `root` with all links resolved. */
export async function loadFile(
  { file, format, text, above = [] }: ModelText,
  root: string,
  reading: Reading,
): Promise<LoadedModel> {
  const { importers, absent: _, typed, ...rules } = reading
  const importer = format === undefined ? [...importers].find(({ detect }) => detect({ text, file })) : importers.get(format)
  if (importer)
    return asErrors(
      loadForeign(importer, { text, file }, { importers, typed }, (document) =>
        loadModel({ ...document, resolved: true, ...rules }),
      ),
    )
  const errors: Finding[] = []
  const near = (path: string, place: string) => readNear({ file, path, place }, root, errors)
  const { inherits, extends: listed } = headOf(text, reading)
  const parent = typeof inherits === 'string' ? await near(inherits, 'inherits') : undefined
  const fragments: string[] = []
  for (const [index, entry] of listed.entries()) {
    fragments.push(looksLikePath(entry) ? ((await near(entry, `extends[${index}]`))?.text ?? '') : entry)
  }
  if (parent && [...above, file].includes(parent.file))
    errors.push(fault('inherits', `Models inherit from each other in a circle: ${parent.file}`))
  if (errors.length > 0) return { errors, warnings: [] }
  const loaded = parent && (await loadFile({ file: parent.file, text: parent.text, above: [...above, file] }, root, reading))
  if (loaded && !loaded.model) return { errors: loaded.errors.map((error) => ofParent(error, parent.file)), warnings: [] }
  const request: LoadRequest = { text, extends: fragments.filter((fragment) => fragment !== ''), resolved: true, ...rules }
  return loadModel(loaded?.model ? { ...request, parent: loaded.model.document } : request)
}

/** The parts of a document that are needed before it is loaded; undefined if it is not a document, which the loader reports. */
function headOf(text: string, { mostEntries }: Reading): { readonly inherits: unknown; readonly extends: readonly string[] } {
  const { value } = readText(text, { mostEntries })
  const head = (typeof value === 'object' && value !== null ? value : {}) as { inherits?: unknown; extends?: unknown }
  const listed = Array.isArray(head.extends) ? head.extends.filter((entry) => typeof entry === 'string') : []
  return { inherits: head.inherits, extends: listed }
}

/** An inline fragment has a key, a flow mapping or a second line. */
function looksLikePath(entry: string): boolean {
  return !/[\n{]|:\s/.test(entry)
}

/** A file that another one refers to. */
interface Reference {
  readonly file: string
  readonly path: string
  readonly place: string
}

async function readNear({ file, path, place }: Reference, root: string, errors: Finding[]) {
  try {
    const target = await realpath(resolve(dirname(file), path))
    const inside = relative(await realpath(root), target)
    if (inside.startsWith('..') || resolve(inside) === inside) {
      errors.push(fault(place, `'${path}' leads outside of the folder of the models`))
      return undefined
    }
    return { file: target, text: await readFile(target, 'utf8') }
  } catch (error) {
    errors.push(fault(place, `'${path}' cannot be read: ${codeOf(error) ?? 'unreadable'}`))
    return undefined
  }
}

function fault(path: string, message: string): Finding {
  return { code: 'INVALID_SETTING', message, path, severity: 'error' }
}

function ofParent(error: Finding, file: string): Finding {
  return { ...error, context: { ...error.context, source: file } }
}

/** The folder that contains all files that a model file may refer to: the folder of the models, or else its own. */
export function rootOf(file: string, { MODEL_DIR }: Settings): string {
  const root = MODEL_DIR === undefined ? undefined : resolve(MODEL_DIR)
  return root !== undefined && file.startsWith(`${root}${sep}`) ? root : dirname(file)
}

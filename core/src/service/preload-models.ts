/** Models that are loaded at the start, in protected sessions: those of the config and those of `MODEL_FILES`. */

import { basename, extname, resolve } from 'node:path'
import { type Finding, fail, GrainlineError } from '../errors.js'
import type { Logger } from '../logger.js'
import type { Importer } from '../model/importer.js'
import type { Point } from '../point.js'
import type { SessionStore } from '../session/session-store.js'
import type { Settings } from '../settings/core-variables.js'
import { accessFaults } from './check-access.js'
import type { PreloadedModel } from './held-models.js'
import { rootOf } from './load-document.js'
import type { LoadedModel, ModelLibrary } from './model-library.js'
import type { Models } from './models.js'
import type { PhysicalCatalogue } from './physical-types.js'
import { inFile, inProject, type ModelSource, type Project, projectOfFile, readSource, sourceOf } from './project.js'
import { readTypesFile, staleTypes, type TypesFile } from './types-file.js'

export interface PreloadDeps extends Pick<Models, 'readFile' | 'readFileAlone' | 'examplesOf'> {
  readonly settings: Settings
  readonly callersAreLocal: boolean
  readonly logger: Logger
  readonly store: SessionStore<LoadedModel>
  readonly library: ModelLibrary
  readonly physical: Pick<PhysicalCatalogue, 'readFrom'>
  readonly importers: Point<Importer>
  /** The file of every protected session, by its name; filled here. */
  readonly files: Map<string, ModelSource>
}

/** A document to be loaded; without `session` it is named after itself. */
interface Incoming extends ModelSource {
  readonly session?: string
  readonly project: Project
}

/** Loads all of them or none: every error of every file is in one `MODEL_INVALID`. Their examples are checked by `checkPublished`. */
export async function preloadModels(preload: readonly PreloadedModel[], deps: PreloadDeps): Promise<void> {
  const { settings } = deps
  const faults: Finding[] = []
  const remarks: Finding[] = []
  const incoming: Incoming[] = [...preload.map(incomingOf), ...(await readFiles(deps, faults))]
  const ready: Ready[] = []
  for (const document of incoming) {
    const { project } = document
    const result = await deps.readFileAlone(document, project.text, rootOf(document.file, settings))
    if ('errors' in result) {
      faults.push(...result.errors.map((error) => inProject(error, project)))
      remarks.push(...result.warnings.map((remark) => inProject(remark, project)))
      continue
    }
    const name = document.session ?? nameOf(result.model.name, document.file)
    const twin = ready.find((other) => other.name.toLowerCase() === name.toLowerCase())
    if (twin) faults.push(collision(name, twin.document.file, document.file))
    const types = await typesOf(document.file)
    if (types && 'code' in types) faults.push(types)
    else ready.push({ name, document, loaded: result, types })
  }
  if (faults.length === 0) faults.push(...accessFaultsOf(ready, deps))
  if (faults.length > 0) refuse(faults, remarks)
  for (const each of ready) hold(each, deps)
}

function incomingOf({ source, fileOf, ...model }: PreloadedModel): Incoming {
  return { ...model, project: fileOf ? { text: source, fileOf } : projectOfFile(model.file, source) }
}

function accessFaultsOf(ready: readonly Ready[], deps: PreloadDeps): readonly Finding[] {
  const published = ready.map(({ name, loaded }) => ({ name, model: loaded.model }))
  return accessFaults(published, deps).map((fault) => inFile(fault, ready.map(({ document }) => document.file).join(', ')))
}

/** The model's own name, else that of its file. */
function nameOf(own: string | undefined, file: string): string {
  return sessionName(own ?? '') ?? sessionName(basename(file, extname(file))) ?? 'model'
}

interface Ready {
  readonly name: string
  readonly document: Incoming
  readonly loaded: LoadedModel
  readonly types: TypesFile | undefined
}

function hold({ name, document, loaded, types }: Ready, { store, library, physical, logger, files }: PreloadDeps): void {
  const kept = library.retain({ ...loaded, warnings: [...loaded.warnings, ...staleFor(loaded, types)] })
  physical.readFrom(types, kept.model)
  const { file, format, project } = document
  files.set(name, { file, format })
  store.createProtected(name).models.set(name, kept)
  warnOf(
    kept.warnings.map((remark) => inProject(remark, project)),
    logger,
  )
  logger.info({ session: name, file }, `model ${name} loaded`)
}

/** The types of the columns of a model file, or why their file cannot be read. */
export async function typesOf(file: string): Promise<TypesFile | undefined | Finding> {
  try {
    return await readTypesFile(file)
  } catch (error) {
    if (error instanceof GrainlineError) return inFile(error.toFinding(), file)
    throw error
  }
}

/** A warning for every dialect for which the file misses columns of the model. */
export const staleFor = ({ model }: LoadedModel, file: TypesFile | undefined): readonly Finding[] =>
  [...(file?.types ?? [])].flatMap(([dialect, types]) => staleTypes(model, { file: file?.name ?? '', dialect, types }) ?? [])

/** The place is a part of the sentence: people read it in a terminal, where a line shows no fields. */
function warnOf(warnings: readonly Finding[], logger: Logger): void {
  for (const { code, message, hint, path, line, context } of warnings) {
    const file = context?.file
    const place = typeof file === 'string' && line !== undefined ? `${file}:${line}: ` : ''
    logger.warn({ code, path, file }, `${place}${hint === undefined ? message : `${message} ${hint}`}`)
  }
}

async function readFiles(deps: PreloadDeps, faults: Finding[]): Promise<Incoming[]> {
  const base = deps.settings.MODEL_DIR ?? process.cwd()
  const found: Incoming[] = []
  for (const name of deps.settings.MODEL_FILES) {
    const { path, format } = sourceOf(name, deps.importers)
    const source = { file: resolve(base, path), format }
    const project = await readModel(source, deps)
    if ('text' in project) found.push({ ...source, project })
    else faults.push(project)
  }
  return found
}

/** The text of a model, or why it cannot be read. */
export async function readModel(source: ModelSource, { importers }: Pick<PreloadDeps, 'importers'>): Promise<Project | Finding> {
  const project = await readSource(source, importers)
  return 'refused' in project ? fileFault(source.file, `The file ${project.refused}`) : project
}

function collision(name: string, first: string, second: string): Finding {
  return fileFault(second, `Its session would be named '${name}', as that of ${first} is; give one of the models another name.`)
}

function fileFault(file: string, message: string): Finding {
  return inFile({ code: 'INVALID_VARIABLE', message, path: 'MODEL_FILES', severity: 'error' }, file)
}

/** `remarks` are not the reason, but may explain it. */
function refuse(findings: readonly Finding[], remarks: readonly Finding[]): never {
  const lines = findings.map(({ context, line, column, code, message, hint }) => {
    const place = line === undefined ? '' : `:${line}:${column ?? 1}`
    return `  ${context?.file}${place} ${code} ${message}${code === 'IMPORT_FAILED' && hint !== undefined ? ` ${hint}` : ''}`
  })
  const files = new Set(findings.map((finding) => finding.context?.file)).size
  const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`
  const message = `${count(findings.length, 'error')} in ${count(files, 'model file')}:\n${lines.join('\n')}`
  return fail('MODEL_INVALID', message, { findings: [...findings, ...remarks], isWhole: true })
}

/**
 * Compiles the examples and tests of the models that came from files, and warns of those that do not compile. It runs after the server
 * listens, so that no client waits for it. It yields to other work between models, and drops findings about a model that was replaced
 * meanwhile.
 */
export async function checkPublished({ files, store, examplesOf, logger }: PreloadDeps, isClosed: () => boolean): Promise<void> {
  for (const [session, { file }] of files) {
    const loaded = isClosed() ? undefined : store.access(session).models.get(session)
    const found = loaded ? await examplesOf(loaded.model) : []
    if (found.length === 0 || isClosed()) continue
    const { models } = store.access(session)
    if (!loaded || models.get(session) !== loaded) continue
    models.set(session, { ...loaded, warnings: [...loaded.warnings, ...found] })
    warnOf(
      found.map((remark) => inFile(remark, file)),
      logger,
    )
  }
}

/**
 * The name of a protected session: an identifier of letters, digits and underscores, which does not start with a digit. Letters of every
 * script stay as they are; only Latin ones lose their accents. Case is kept. Undefined if the text has neither letters nor digits.
 */
export function sessionName(text: string): string | undefined {
  const plain = text.normalize('NFKC').replace(/\p{Script=Latin}/gu, withoutAccents)
  const words = plain.replace(/[^\p{L}\p{M}\p{N}_]+/gu, '_').replace(/^[_\p{M}]+|(?<!_)_+$/gu, '')
  if (words === '') return undefined
  return /^\p{N}/u.test(words) ? `_${words}` : words
}

const withoutAccents = (letter: string): string => letter.normalize('NFKD').replace(/\p{M}/gu, '')

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Finding, fail } from '../errors.js'
import { FairLine } from '../fair-line.js'
import type { AuthorRights } from '../model/author-rights.js'
import type { Imported } from '../model/importer.js'
import { loadModel } from '../model/load-apart.js'
import type { LoadedModel as LoadResult } from '../model/load-model.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { filterFaults } from '../resolve/resolve-query.js'
import { clientOf } from './asking.js'
import { bytesOfModel } from './bytes-of-model.js'
import { type Catalogue, catalogueOf } from './catalogue.js'
import { checkExamples } from './check-examples.js'
import { type Conversion, type ConvertRequest, conversionOf } from './conversion.js'
import { defaultDialectWarnings } from './default-dialect-warnings.js'
import { exportedModel, exporterNamed } from './export-document.js'
import type { ModelRequest } from './held-models.js'
import { importerNamed, readForeign } from './import-document.js'
import { loadFile, loadSent, type Reading, rootOf } from './load-document.js'
import type { LoadedModel, ModelLibrary } from './model-library.js'
import { formatsShownBy } from './other-format.js'
import type { PhysicalCatalogue } from './physical-types.js'
import type { ModelSource } from './project.js'
import { checkLength, hashRequest, readModelRequest } from './read-model-request.js'
import type { ServiceDeps } from './service-deps.js'
import { type TypedByDatabase, typedByDatabase } from './typed-by-database.js'

export interface ReaderDeps extends ServiceDeps {
  readonly library: ModelLibrary
  readonly physical: PhysicalCatalogue
  /** Throws the error of an example's query. */
  readonly compileExample: (query: unknown, model: LoadedModel['model']) => unknown
}

/** A model that a session can hold, or the reasons why there is none. */
export type Outcome = LoadedModel | Refusal
interface Refusal {
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
}

/** Reads models of requests and files. It stores none, and finds those that the library holds. */
export class ModelReader {
  readonly #deps: ReaderDeps
  readonly #catalogue: () => Catalogue
  readonly #typed: TypedByDatabase
  /** While it is parsed, a document takes several times the memory of its model. */
  readonly #alone = new FairLine(1)

  constructor(deps: ReaderDeps) {
    this.#deps = deps
    this.#catalogue = catalogueOf(deps)
    this.#typed = typedByDatabase(deps)
  }

  async read(request: ModelRequest, parent: SemanticModel | undefined): Promise<Outcome> {
    const { library, settings } = this.#deps
    // A large document is serialized, hashed and loaded in separate turns, so that other requests are answered in between.
    await nextTurn()
    const source = await readModelRequest(request, settings.MODEL_MAX_ENTRIES)
    await nextTurn()
    const requestHash = hashRequest(source, request, parent?.contentHash)
    const known = library.find(requestHash)
    if (known) return known
    const sent = { request, text: source, parent: parent?.document, rights: await clientRights(this.#deps) }
    const hash = (content: string) => (request.format == null ? requestHash : hashRequest(requestHash, {}, content))
    const load = () => this.#withExamples(this.#finish(loadSent(sent, this.#reading()), source, hash))
    return source.length > LARGE ? this.#alone.run(request.asker ? clientOf(request.asker) : '', load) : load()
  }

  /** Reads a model file without storing it. `root` limits the files that it may inherit from. */
  readFile(source: ModelSource, text: string, root: string): Promise<Outcome> {
    return this.#withExamples(this.readFileAlone(source, text, root))
  }

  /** The same, without checking its examples. */
  readFileAlone({ file, format }: ModelSource, text: string, root: string): Promise<Outcome> {
    const loading = loadFile({ file, format, text }, root, this.#reading())
    return this.#finish(loading, text, (content) => hashRequest(text, { format }, `${file} ${content}`))
  }

  /** Writes a model in another format. Whether its sender may load that model here does not matter: no database is asked. */
  async convert(request: ConvertRequest): Promise<Conversion | Refusal> {
    const { asker, model_yaml: text, to, drop_security: dropsSecurity = false, list_exact: listsExact = false } = request
    checkLength('model_yaml', text)
    const { importers } = this.#deps
    const [shown] = request.format == null ? await formatsShownBy({ text }, importers) : []
    const format = request.format ?? shown
    if (format == null && to == null)
      fail(
        'INVALID_REQUEST',
        'The text shows no format of another product: its format (format), or that of the result (to), is missing',
        {
          path: 'to',
        },
      )
    const exporter = to == null ? undefined : exporterNamed(to, this.#deps.exporters, this.#deps.absent)
    const client = asker && clientOf(asker)
    await nextTurn()
    const imported = format == null ? undefined : await this.#imported({ text, format, client, dropsSecurity })
    if (imported && 'errors' in imported) return { ...imported, warnings: [] }
    const outcome = await this.#withExamples(this.#finish(this.#converted(request, imported), text))
    if ('errors' in outcome) return outcome
    if (exporter) return exportedModel(exporter, { ...outcome, text, imported, dropsSecurity, listsExact, client })
    return imported ? conversionOf(imported, outcome.warnings, { client, listsExact }) : { errors: [], warnings: [] }
  }

  #imported({ text, format, client, dropsSecurity }: ForeignRequest): ReturnType<typeof readForeign> {
    const { importers, absent } = this.#deps
    return readForeign(importerNamed(format, importers, absent), { text, ...(client && { client }) }, importers, dropsSecurity)
  }

  /** The model of a text that is converted: what an importer has read, or a document of this server. */
  #converted({ asker, model_yaml: text, file }: ConvertRequest, imported: Imported | undefined): Promise<LoadResult> {
    if (asker === undefined && file !== undefined && !imported)
      return loadFile({ file, text }, rootOf(file, this.#deps.settings), this.#reading())
    const { importers: _importers, absent: _absent, typed: _typed, ...rules } = this.#reading()
    const client = asker && clientOf(asker)
    const source = imported ? { json: imported.document, places: imported.places } : { text }
    return loadModel({ ...source, ...rules, ...(client && { client }) })
  }

  /** A warning for every example and test of the model that does not compile. */
  examplesOf(model: LoadedModel['model']): Promise<readonly Finding[]> {
    return checkExamples(model, (query) => this.#deps.compileExample(query, model))
  }

  #reading(): Reading {
    const { settings, importers, absent } = this.#deps
    return { ...this.#catalogue(), mostEntries: settings.MODEL_MAX_ENTRIES, importers, absent, typed: this.#typed }
  }

  /** `hash`: of the request. A file may inherit from another one, and columns of other formats have the types of a database, so the same text may be another model later. */
  async #finish(loading: Promise<LoadResult>, source: string, hash: (content: string) => string = () => ''): Promise<Outcome> {
    const { dialects, now } = this.#deps
    const { model, health, errors, warnings, places } = await loading
    if (!model || !health) return { errors, warnings }
    const faults = filterFaults(model, { ...this.#catalogue(), now: now() })
    if (faults.length > 0) return { errors: faults, warnings }
    const notes = defaultDialectWarnings(model, dialects)
    return {
      requestHash: hash(model.contentHash),
      model,
      health,
      warnings: [...warnings, ...notes],
      source,
      places,
      bytes: await bytesOfModel(model, source),
    }
  }

  async #withExamples(reading: Promise<Outcome>): Promise<Outcome> {
    const loaded = await reading
    if ('errors' in loaded) return loaded
    return { ...loaded, warnings: [...loaded.warnings, ...(await this.examplesOf(loaded.model))] }
  }
}

interface ForeignRequest {
  readonly text: string
  readonly format: string
  readonly client: string | undefined
  readonly dropsSecurity: boolean
}

/** The number of characters of a document that is loaded only while no other such document is. */
const LARGE = 200_000

type RightsDeps = Pick<ServiceDeps, 'settings' | 'dialects' | 'languages'>

/** What models from clients may send to a database. */
async function clientRights({ settings, dialects, languages }: RightsDeps): Promise<AuthorRights> {
  const reader = [...languages].find(({ sqlOfAuthors }) => sqlOfAuthors !== undefined)
  return {
    sql: (settings.MODEL_SQL === 'allow' && (await reader?.sqlOfAuthors?.(settings.MODEL_FUNCTIONS))) || false,
    schemas: settings.MODEL_SCHEMAS,
    system: [...dialects].map((dialect) => dialect.system),
  }
}

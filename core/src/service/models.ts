import { setImmediate as nextTurn } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { type Finding, fail, GrainlineError } from '../errors.js'
import { FairLine } from '../fair-line.js'
import type { AuthorRights } from '../model/author-rights.js'
import type { LoadedModel as LoadResult } from '../model/load-model.js'
import { shown } from '../nearest.js'
import { segmentFaults } from '../resolve/resolve-query.js'
import type { Session, SessionStore } from '../session/session-store.js'
import { bytesOfModel } from './bytes-of-model.js'
import { catalogueOf } from './catalogue.js'
import { checkExamples } from './check-examples.js'
import { defaultDialectWarnings } from './default-dialect-warnings.js'
import type { ModelLoadResult, ModelRequest, QueryTarget, ValidateResult } from './held-models.js'
import { loadFile, loadSent, rootOf } from './load-document.js'
import type { LoadedModel, ModelLibrary } from './model-library.js'
import { checkModelRequest, hashRequest, readModelRequest } from './read-model-request.js'
import { handleOf, handlesOf, inSession, type ModelReach, modelReach, publishedModels, resolveModel } from './resolve-model.js'
import type { ModelService } from './semantic-service.js'
import type { ServiceDeps } from './service-deps.js'
import type { By } from './view-of.js'

/** Everything that does not concern several workers. */
type OwnModelVerbs = Omit<ModelService, 'reach'>

interface ModelDeps extends ServiceDeps {
  readonly store: SessionStore<LoadedModel>
  readonly library: ModelLibrary
  /** Throws the error of an example's query. */
  readonly compileExample: (query: unknown, model: LoadedModel['model']) => unknown
}

export interface Models {
  readonly verbs: OwnModelVerbs
  /** The models that a statement may name. */
  readonly modelReach: (target: QueryTarget, by: By) => ModelReach
  /** Reads a model file without storing it. `root` limits the files that it may inherit from. */
  readonly readFile: (file: string, text: string, root: string) => Promise<Outcome>
  /** The same, without checking its examples. */
  readonly readFileAlone: (file: string, text: string, root: string) => Promise<Outcome>
  /** A warning for every example and test of the model that does not compile. */
  readonly examplesOf: (model: LoadedModel['model']) => Promise<readonly Finding[]>
}

export type Outcome = LoadedModel | { readonly errors: readonly Finding[]; readonly warnings: readonly Finding[] }

export function createModels(deps: ModelDeps): Models {
  const { store, library, settings } = deps
  const curated = settings.MODEL_FILES.length > 0
  const held = { store, mayListSessions: !settings.DISABLE_SESSION_LIST }
  const catalogue = catalogueOf(deps)
  const reading = () => ({ ...catalogue(), mostEntries: settings.MODEL_MAX_ENTRIES, importers: deps.importers })
  // While it is parsed, a document takes several times the memory of its model.
  const alone = new FairLine(1)

  const examplesOf: Models['examplesOf'] = (model) => checkExamples(model, (query) => deps.compileExample(query, model))

  async function finish(loading: Promise<LoadResult>, requestHash: string, source: string): Promise<Outcome> {
    const { model, health, errors, warnings } = await loading
    if (!model || !health) return { errors, warnings }
    const segments = segmentFaults(model, { ...catalogue(), now: deps.now() })
    if (segments.length > 0) return { errors: segments, warnings }
    const notes = defaultDialectWarnings(model, deps.dialects)
    return { requestHash, model, health, warnings: [...warnings, ...notes], source, bytes: await bytesOfModel(model, source) }
  }

  async function withExamples(reading: Promise<Outcome>): Promise<Outcome> {
    const loaded = await reading
    if ('errors' in loaded) return loaded
    return { ...loaded, warnings: [...loaded.warnings, ...(await examplesOf(loaded.model))] }
  }

  async function read(request: ModelRequest, parent: LoadedModel | undefined): Promise<Outcome> {
    // A large document is serialized, hashed and loaded in separate turns, so that other requests are answered in between.
    await nextTurn()
    const source = readModelRequest(request, settings.MODEL_MAX_ENTRIES)
    await nextTurn()
    const requestHash = hashRequest(source, request, parent?.model.contentHash)
    const known = library.find(requestHash)
    if (known) return known
    const sent = { request, text: source, parent: parent?.model.document, rights: await clientRights(deps) }
    const loading = () => finish(loadSent(sent, reading()), requestHash, source)
    const load = () => withExamples(loading())
    return source.length > LARGE ? alone.run(request.client ?? '', load) : load()
  }

  const readFileAlone: Models['readFileAlone'] = (file, text, root) =>
    finish(loadFile({ file, text }, root, reading()), hashRequest(text, {}, file), text)

  const readFile: Models['readFile'] = (file, text, root) => withExamples(readFileAlone(file, text, root))

  async function loadModel(sessionId: string, request: ModelRequest & { readonly dedup?: boolean }): Promise<ModelLoadResult> {
    refuseWhenFixed(store.access(sessionId), curated)
    const parent = request.inherits == null ? undefined : parentOf(store.access(sessionId), request.inherits)
    const loaded = await read(request, parent)
    if ('errors' in loaded) return refuseInvalid(loaded.errors)
    // The session may have expired or filled up while the document was parsed.
    const session = store.access(sessionId)
    const same = request.dedup === false ? undefined : sameContent(session, loaded)
    if (same)
      return {
        ...handleOf([sessionId, same[0]], same[1], undefined),
        warnings: loaded.warnings,
        health: loaded.health,
        modelLoad: 'reused',
      }
    refuseWhenFull(session, settings.MAX_MODELS_PER_SESSION, deps.now())
    refuseWhenTooMuch(session, loaded, deps)
    const modelId = deps.randomId()
    const kept = library.retain(loaded)
    session.models.set(modelId, kept)
    return { ...handleOf([sessionId, modelId], kept, undefined), modelLoad: 'fresh' }
  }

  const verbs: OwnModelVerbs = {
    loadModel,
    listModels: (sessionId, by) => handlesOf(store.access(sessionId), by),
    getModel: (sessionId, modelId, by) => inSession(store.access(sessionId), modelId, by),
    async deleteModel(sessionId, modelId) {
      const session = store.access(sessionId)
      refuseWhenFixed(session, curated)
      const handle = inSession(session, modelId, undefined)
      const loaded = session.models.get(handle.modelId)
      session.models.delete(handle.modelId)
      if (loaded) library.release(loaded)
    },
    async validate(request, sessionId) {
      const session = sessionId === undefined ? undefined : store.access(sessionId)
      checkModelRequest(request)
      const parent = request.inherits == null ? undefined : findParent(session, request.inherits)
      if (parent instanceof GrainlineError) return { valid: false, errors: [parent.toFinding()], warnings: [] }
      return verdict(await read(request, parent))
    },
    validateFile: async ({ file, source }) => verdict(await readFile(file, source, rootOf(file, settings))),
    resolveModel: (target, by) => resolveModel(target, by, held),
    publishedModels: (by) => publishedModels(store, by),
  }
  return {
    verbs,
    modelReach: (target, by) => modelReach(target, by, held),
    readFile,
    readFileAlone,
    examplesOf,
  }
}

const verdict = (result: Outcome): ValidateResult =>
  'errors' in result ? { valid: false, ...result } : { valid: true, errors: [], warnings: result.warnings }

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

function refuseWhenFixed(session: Session<LoadedModel>, curated: boolean): void {
  if (curated)
    fail('CURATED_MODE', 'Models come from files here; they can be neither added nor removed', {
      hint: 'Ask one of the models that GET /v1/models lists. The operator adds further ones to MODEL_FILES.',
    })
  if (session.protected) fail('SESSION_PROTECTED', 'The session is protected; its models can be neither added nor removed')
}

function refuseWhenFull(session: Session<LoadedModel>, most: number, now: Date): void {
  if (session.models.size < most) return
  const context = { retry_after: Math.max(1, Math.ceil((session.expiresAt - now.getTime()) / 1000)) }
  fail('MODEL_LIMIT', `The session holds ${session.models.size} models, as many as it may; delete one first`, { context })
}

/** Models from clients must leave memory for the rest of the process. Published models do not count. */
function refuseWhenTooMuch(session: Session<LoadedModel>, loaded: LoadedModel, { settings, library, now }: ModelDeps): void {
  const inSession = [...session.models.values()].reduce((sum, { bytes }) => sum + bytes, loaded.bytes)
  const context = { retry_after: Math.max(1, Math.ceil((session.expiresAt - now().getTime()) / 1000)) }
  const refuse = (whose: string, most: number, setting: string) =>
    fail('MEMORY_LIMIT', `The models of ${whose} would take more than ${most} bytes (${setting})`, { context })
  if (inSession > settings.SESSION_MAX_MODEL_BYTES)
    refuse('the session', settings.SESSION_MAX_MODEL_BYTES, 'SESSION_MAX_MODEL_BYTES')
  const most = settings.MODELS_MAX_BYTES ?? Math.floor(getHeapStatistics().heap_size_limit / 3)
  if (!library.holds(loaded) && library.bytes + loaded.bytes > most) refuse('all sessions', most, 'MODELS_MAX_BYTES')
}

/** The number of characters of a document that is loaded only while no other such document is. */
const LARGE = 200_000

/** Throws `MODEL_INVALID` with every error; `MODEL_SQL_DENIED` if there are only such errors. */
export function refuseInvalid(errors: readonly Finding[]): never {
  const [first] = errors
  const place = first?.line === undefined ? '' : ` (line ${first.line})`
  const many = errors.length > 1 ? `${errors.length} errors; the first: ` : ''
  // Some errors can be fixed by an author; others only by the operator. They have different codes.
  const code = errors.every((error) => error.code === 'MODEL_SQL_DENIED') ? 'MODEL_SQL_DENIED' : 'MODEL_INVALID'
  const what = code === 'MODEL_INVALID' ? 'is not valid' : 'is refused'
  const hint = code === 'MODEL_SQL_DENIED' && first?.hint !== undefined ? { hint: first.hint } : {}
  return fail(code, `The model ${what}: ${many}${first?.message ?? ''}${place}`, { findings: errors, ...hint })
}

function sameContent(session: Session<LoadedModel>, { model }: LoadedModel): [string, LoadedModel] | undefined {
  return [...session.models].find(([, held]) => held.model.contentHash === model.contentHash)
}

function parentOf(session: Session<LoadedModel>, inherits: string): LoadedModel {
  const parent = findParent(session, inherits)
  if (parent instanceof GrainlineError) throw parent
  return parent
}

function findParent(session: Session<LoadedModel> | undefined, inherits: string): LoadedModel | GrainlineError {
  const parent = session?.models.get(inherits)
  if (parent) return parent
  const where = session
    ? `The session holds no model '${shown(inherits)}' to inherit from.`
    : 'inherits needs a session that holds the parent model.'
  return new GrainlineError('MODEL_NOT_FOUND', where, { path: 'inherits' })
}

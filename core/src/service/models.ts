import { getHeapStatistics } from 'node:v8'
import { type Finding, fail, GrainlineError } from '../errors.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { shown } from '../nearest.js'
import type { Session, SessionStore } from '../session/session-store.js'
import type { ModelLoadResult, ModelRequest, QueryTarget, ValidateResult } from './held-models.js'
import { rootOf } from './load-document.js'
import type { LoadedModel } from './model-library.js'
import { ModelReader, type Outcome, type ReaderDeps } from './model-reader.js'
import type { ModelSource } from './project.js'
import { checkModelRequest } from './read-model-request.js'
import {
  handleOf,
  handlesOf,
  inSession,
  type ModelReach,
  modelReach,
  publishedModels,
  resolveModel,
  sessionFor,
} from './resolve-model.js'
import type { ModelService } from './semantic-service.js'
import type { By } from './view-of.js'

/** Everything that does not concern several workers. */
type OwnModelVerbs = Omit<ModelService, 'reach'>

interface ModelDeps extends ReaderDeps {
  readonly store: SessionStore<LoadedModel>
}

export interface Models {
  readonly verbs: OwnModelVerbs
  /** The models that a statement may name. */
  readonly modelReach: (target: QueryTarget, by: By) => ModelReach
  /** Reads a model file without storing it. `root` limits the files that it may inherit from. */
  readonly readFile: (source: ModelSource, text: string, root: string) => Promise<Outcome>
  /** The same, without checking its examples. */
  readonly readFileAlone: (source: ModelSource, text: string, root: string) => Promise<Outcome>
  /** A warning for every example and test of the model that does not compile. */
  readonly examplesOf: (model: LoadedModel['model']) => Promise<readonly Finding[]>
}

export function createModels(deps: ModelDeps): Models {
  const { store, settings } = deps
  const curated = settings.MODEL_FILES.length > 0
  const held = { store, mayListSessions: !settings.DISABLE_SESSION_LIST }
  const reader = new ModelReader(deps)
  const verbs: OwnModelVerbs = {
    loadModel: (sessionId, request) => load(sessionId, request, reader, deps),
    listModels: (sessionId, by) => handlesOf(sessionFor(sessionId, by, store), by, store),
    getModel: (sessionId, modelId, by) => inSession(sessionFor(sessionId, by, store), modelId, by, store),
    async deleteModel(sessionId, modelId, by) {
      const session = sessionFor(sessionId, by, store)
      refuseWhenFixed(session, curated)
      const handle = inSession(session, modelId, by, store)
      const loaded = session.models.get(handle.modelId)
      session.models.delete(handle.modelId)
      if (loaded) deps.library.release(loaded)
    },
    async validate(request, sessionId) {
      const session = sessionId === undefined ? undefined : sessionFor(sessionId, request.asker?.principal, store)
      checkModelRequest(request)
      const parent = request.inherits == null ? undefined : findParent(session, request.inherits, request.asker?.principal, store)
      if (parent instanceof GrainlineError) return { valid: false, errors: [parent.toFinding()], warnings: [] }
      return verdict(await reader.read(request, parent))
    },
    async convert(request) {
      const converted = await reader.convert(request)
      return 'errors' in converted ? refuseInvalid(converted.errors) : converted
    },
    validateFile: async ({ file, source }) => verdict(await reader.readFile({ file }, source, rootOf(file, settings))),
    resolveModel: (target, by) => resolveModel(target, by, held),
    publishedModels: (by) => publishedModels(store, by),
  }
  return {
    verbs,
    modelReach: (target, by) => modelReach(target, by, held),
    readFile: (...file) => reader.readFile(...file),
    readFileAlone: (...file) => reader.readFileAlone(...file),
    examplesOf: (model) => reader.examplesOf(model),
  }
}

async function load(
  sessionId: string,
  request: ModelRequest & { readonly dedup?: boolean },
  reader: ModelReader,
  deps: ModelDeps,
): Promise<ModelLoadResult> {
  const { store, library, settings } = deps
  const by = request.asker?.principal
  refuseWhenFixed(sessionFor(sessionId, by, store), settings.MODEL_FILES.length > 0)
  refuseBesideRules(store)
  const parent = request.inherits == null ? undefined : parentOf(sessionFor(sessionId, by, store), request.inherits, by, store)
  const loaded = await reader.read(request, parent)
  if ('errors' in loaded) return refuseInvalid(loaded.errors)
  if (loaded.model.access !== undefined)
    fail('MODELS_ARE_FIXED', 'A model with access rules comes from a file of the operator, not from a client', { path: 'access' })
  refuseBesideRules(store)
  // The session may have expired or filled up while the document was parsed.
  const session = sessionFor(sessionId, by, store)
  const same = request.dedup === false ? undefined : sameContent(session, loaded)
  if (same)
    return {
      ...handleOf([sessionId, same[0]], same[1], by, store),
      warnings: loaded.warnings,
      health: loaded.health,
      modelLoad: 'reused',
    }
  refuseWhenFull(session, settings.MAX_MODELS_PER_SESSION, deps.now())
  refuseWhenTooMuch(session, loaded, deps)
  const modelId = deps.randomId()
  const kept = library.retain(loaded)
  session.models.set(modelId, kept)
  return { ...handleOf([sessionId, modelId], kept, by, store), modelLoad: 'fresh' }
}

const verdict = (result: Outcome): ValidateResult =>
  'errors' in result ? { valid: false, ...result } : { valid: true, errors: [], warnings: result.warnings }

function refuseWhenFixed(session: Session<LoadedModel>, curated: boolean): void {
  if (curated)
    fail('CURATED_MODE', 'Models come from files here; they can be neither added nor removed', {
      hint: 'Ask one of the models that GET /v1/models lists. The operator adds further ones to MODEL_FILES.',
    })
  if (session.protected) fail('SESSION_PROTECTED', 'The session is protected; its models can be neither added nor removed')
}

/** A model of a client could read the tables around the rules of another. */
function refuseBesideRules(store: SessionStore<LoadedModel>): void {
  if (publishedModels(store, undefined).some(({ model }) => model.access !== undefined))
    fail('MODELS_ARE_FIXED', 'A published model has access rules, so no other models can be loaded beside it')
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

function parentOf(
  session: Session<LoadedModel>,
  inherits: string,
  by: By,
  clock: Pick<SessionStore<LoadedModel>, 'now'>,
): SemanticModel {
  const parent = findParent(session, inherits, by, clock)
  if (parent instanceof GrainlineError) throw parent
  return parent
}

/** As the author of the child sees it: a child must not show more of it. */
function findParent(
  session: Session<LoadedModel> | undefined,
  inherits: string,
  by: By,
  clock: Pick<SessionStore<LoadedModel>, 'now'>,
): SemanticModel | GrainlineError {
  const parent = session?.models.get(inherits)
  // The faults of a child tell of the text that it adds to, which is withheld.
  if (parent?.model.access && by !== undefined)
    return new GrainlineError(
      'MODELS_ARE_FIXED',
      `'${shown(inherits)}' has access rules, so no model of a client inherits from it`,
      {
        path: 'inherits',
      },
    )
  if (session && parent) return handleOf([session.id, inherits], parent, by, clock).model
  const where = session
    ? `The session holds no model '${shown(inherits)}' to inherit from.`
    : 'inherits needs a session that holds the parent model.'
  return new GrainlineError('MODEL_NOT_FOUND', where, { path: 'inherits' })
}

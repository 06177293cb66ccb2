/** Which model a request means if it does not name it completely. */

import { isAdmin } from '../auth/principal.js'
import { fail } from '../errors.js'
import { firstOf } from '../invariant.js'
import { modelHealth } from '../model/health.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { didYouMean, nearest, shown } from '../nearest.js'
import type { Session, SessionStore } from '../session/session-store.js'
import { WeakPairs } from '../weak-pairs.js'
import { matchName } from './find-by-name.js'
import type { ModelHandle, QueryTarget } from './held-models.js'
import type { LoadedModel } from './model-library.js'
import { type By, viewOf } from './view-of.js'

type Store = SessionStore<LoadedModel>
/** The present, which decides the days of access rules. */
type Clock = Pick<Store, 'now'>

/** The models that this process holds. */
interface Held {
  readonly store: Store
  readonly mayListSessions: boolean
}

/**
 * A name has precedence; then the only model of the protected sessions; then the only model of the only session. Throws `CONFLICT` with the
 * choices, `SESSION_NOT_FOUND` or `MODEL_NOT_FOUND`.
 */
export function resolveModel(target: QueryTarget, by: By, { store, mayListSessions }: Held): ModelHandle {
  if (target.sessionId !== undefined)
    return inSession(sessionFor(target.sessionId, by, store), target.modelId ?? target.model, by, store)
  if (target.modelId !== undefined) return touched(store, byId(target.modelId, store, by))
  if (target.model !== undefined) return touched(store, byName(target.model, publishedModels(store, by)))
  const published = publishedModels(store, by)
  if (published.length > 0) return touched(store, onlyOf(published, 'model'))
  return onlyOf(handlesOf(onlySession(store, by, mayListSessions), by, store), 'model in the session')
}

/** The session of this id, if it exists for the principal. */
export function sessionFor<Held>(id: string, by: By, store: SessionStore<Held>): Session<Held> {
  const session = store.find(id)
  if (session && !mayReach(session, by)) fail('SESSION_NOT_FOUND', `There is no session '${shown(id)}', or it has expired`)
  return store.access(id)
}

/** A published model is for the principals that may use it. Every other session is for the principal that opened it, and for administrators. */
export function mayReach(
  { id, owner, protected: isPublished }: Pick<Session<never>, 'id' | 'owner' | 'protected'>,
  by: By,
): boolean {
  if (isPublished) return mayUse(id, by)
  return by === undefined || owner === undefined || owner === by.id || isAdmin(by)
}

/** The models that a statement may name, and the default one. */
export interface ModelReach {
  readonly models: readonly ModelHandle[]
  readonly chosen: ModelHandle | undefined
}

/** The named model is chosen. The statement may read the models of its session, or all published models if it is one of them. */
export function modelReach(target: QueryTarget, by: By, held: Held): ModelReach {
  const { store, mayListSessions } = held
  const named = target.modelId !== undefined || target.model !== undefined
  const chosen = named ? resolveModel(target, by, held) : undefined
  const sessionId = chosen?.sessionId ?? target.sessionId
  if (sessionId !== undefined) {
    const session = sessionFor(sessionId, by, store)
    const own = handlesOf(session, by, store)
    const only = own.length === 1 ? own[0] : undefined
    return { models: session.protected ? publishedModels(store, by) : own, chosen: chosen ?? only }
  }
  const published = publishedModels(store, by)
  const models = published.length > 0 ? published : handlesOf(onlySession(store, by, mayListSessions), by, store)
  return { models, chosen: models.length === 1 ? touched(store, firstOf(models)) : undefined }
}

/** The models of the protected sessions, in the order they were loaded. */
export function publishedModels(store: Store, by: By): ModelHandle[] {
  const handles: ModelHandle[] = []
  for (const session of store.protectedSessions()) if (mayUse(session.id, by)) addHandles(handles, session, by, store)
  return handles
}

/** Whether a principal may use a published model. One that it may not use does not exist for it. */
const mayUse = (name: string, by: By): boolean => by?.models === undefined || by.models.includes(name)

export function handlesOf(session: Session<LoadedModel>, by: By, clock: Clock): ModelHandle[] {
  const handles: ModelHandle[] = []
  addHandles(handles, session, by, clock)
  return handles
}

function addHandles(handles: ModelHandle[], { id, models }: Session<LoadedModel>, by: By, clock: Clock): void {
  for (const [modelId, loaded] of models) handles.push(handleOf([id, modelId], loaded, by, clock))
}

/**
 * The view of a model: the only way in which one leaves the service. The value stays the same until another principal asks for the same model, because
 * answers are made once for each handle.
 */
export function handleOf(
  [sessionId, modelId]: readonly [string, string],
  loaded: LoadedModel,
  by: By,
  { now }: Clock,
): ModelHandle {
  const model = viewOf(loaded.model, by, now())
  const known = HANDLES.get(loaded, model)
  if (known?.sessionId === sessionId && known.modelId === modelId) return known
  const handle = { sessionId, modelId, model, ...besideModel(loaded, model) }
  HANDLES.set(loaded, model, handle)
  return handle
}

const HANDLES = new WeakPairs<LoadedModel, SemanticModel, ModelHandle>()

/** A view has neither the text of the model nor what was found out about it when it was loaded: both show the rules. */
function besideModel({ warnings, health, source, places, model: whole }: LoadedModel, model: SemanticModel) {
  if (model === whole) return { warnings, health, source, places }
  return { warnings: [], health: model.hiding ? modelHealth(model) : { ...health, warnings: 0 }, source: '' }
}

/** The model of this id, or of this name, in a session; without either the only one. */
export function inSession(session: Session<LoadedModel>, wanted: string | undefined, by: By, clock: Clock): ModelHandle {
  const held = wanted === undefined ? undefined : session.models.get(wanted)
  if (wanted !== undefined && held !== undefined) return handleOf([session.id, wanted], held, by, clock)
  const models = handlesOf(session, by, clock)
  if (wanted === undefined) return onlyOf(models, 'model in the session')
  const found = named(wanted, models)
  if (found) return found
  const suggestions = nearest(wanted, namesOf(models))
  return fail('MODEL_NOT_FOUND', `The session holds no model '${shown(wanted)}'${didYouMean(suggestions)}`, {
    ...(suggestions.length > 0 && { suggestions }),
  })
}

function byId(modelId: string, store: Store, by: By): ModelHandle {
  const session = store.holding(modelId)
  return session && mayReach(session, by) ? inSession(session, modelId, by, store) : byName(modelId, publishedModels(store, by))
}

function byName(name: string, models: readonly ModelHandle[]): ModelHandle {
  const found = named(name, models)
  if (found) return found
  const suggestions = nearest(name, namesOf(models))
  return fail('MODEL_NOT_FOUND', `There is no model '${shown(name)}'${didYouMean(suggestions)}`, { suggestions })
}

function named(name: string, models: readonly ModelHandle[]): ModelHandle | undefined {
  const match = matchName(name, new Set(namesOf(models)))
  if (match === undefined) return undefined
  const found = models.filter((handle) => handle.sessionId === match || handle.model.name === match)
  return found.length === 1 ? found[0] : undefined
}

function namesOf(models: readonly ModelHandle[]): string[] {
  // A protected session has the name of its model; the id of any other session is not a name and must not appear in a text.
  return models.flatMap(({ sessionId, modelId, model }) =>
    [sessionId === modelId ? sessionId : undefined, model.name].filter((name) => name !== undefined),
  )
}

function onlySession(store: Store, by: By, mayListSessions: boolean): Session<LoadedModel> {
  // Their number is not shown if they are not listed, not even that there is one.
  if (!mayListSessions)
    return fail('SESSION_NOT_FOUND', 'The request names no session, and sessions are not listed here', {
      hint: 'Name your session with session_id; POST /v1/sessions opens one.',
    })
  const sessions = store.list().filter((session) => mayReach(session, by))
  const [session] = sessions
  if (!session)
    return fail('SESSION_NOT_FOUND', 'No session is open, so there is no model to ask', { hint: 'POST /v1/sessions opens one.' })
  if (sessions.length > 1) {
    const context = { sessions: sessions.map((each) => each.id) }
    fail('CONFLICT', `${sessions.length} sessions are open; name one with session_id`, { context })
  }
  return store.access(session.id)
}

function onlyOf(models: readonly ModelHandle[], what: string): ModelHandle {
  const [only] = models
  if (!only) return fail('MODEL_NOT_FOUND', `There is no ${what}`, { hint: 'Load a model first.' })
  if (models.length === 1) return only
  const choices = models.map((handle) => ({ session_id: handle.sessionId, model_id: handle.modelId, name: handle.model.name }))
  const suggestions = models.map((handle) => handle.modelId)
  return fail('CONFLICT', `There are ${models.length} models; name one with model_id or model`, {
    suggestions,
    context: { models: choices },
  })
}

/** Finding a model counts as an access to its session. */
function touched(store: Store, handle: ModelHandle): ModelHandle {
  store.access(handle.sessionId)
  return handle
}

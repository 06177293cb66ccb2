/**
 * Sessions between workers. The worker that opened a session owns it, and the session's id contains that worker. Another worker that gets a
 * request for it asks the owner each time for its current state, and receives the models that it does not have yet: then it answers like
 * the owner.
 */
import { fail } from '../errors.js'
import { shown } from '../nearest.js'
import type { Session, SessionFacts, SessionStore } from '../session/session-store.js'
import { workerOfId } from '../workers/worker-ids.js'
import { topic, WorkerGone, type Workers } from '../workers/workers.js'
import type { QueryTarget } from './held-models.js'
import type { LoadedModel, ModelLibrary } from './model-library.js'

/** Which session: by its id, or by that of a model in it. */
interface Wanted {
  readonly sessionId?: string | undefined
  readonly modelId?: string | undefined
}
interface Visit extends Wanted {
  /** Models that the requesting worker has. */
  readonly known: readonly string[]
}
interface Told {
  readonly facts: SessionFacts
  readonly models: readonly (readonly [modelId: string, loaded: LoadedModel | undefined])[]
}

const VISIT = topic<Visit, Told | undefined>('session.visit')
const LIST = topic<null, readonly SessionFacts[]>('session.list')

export interface Visits {
  /** Fetches the session of another worker, if the target means one, into the store. */
  reach(target: QueryTarget): Promise<void>
  /** The sessions of all other workers. Each worker first removes its expired ones. */
  others(): Promise<readonly SessionFacts[]>
  /** The worker that owns a session; `undefined` if it is this one, or none. */
  ownerOf(sessionId: string): number | undefined
}

interface VisitDeps {
  readonly workers: Workers
  readonly store: SessionStore<LoadedModel>
  readonly library: ModelLibrary
  /** Whether a request without a name may mean the only session. */
  readonly mayListSessions: boolean
}

export function createVisits({ workers, store, library, mayListSessions }: VisitDeps): Visits {
  workers.answer(LIST, () => {
    store.sweep()
    return ownSessions(store).map(factsOf)
  })
  workers.answer(VISIT, ({ known, ...wanted }) => {
    const session = heldHere(wanted, store)
    if (session === undefined) return undefined
    store.access(session.id)
    const models = [...session.models].map(([id, loaded]) => [id, known.includes(id) ? undefined : loaded] as const)
    return { facts: factsOf(session), models }
  })

  const foreign = (id: string): number | undefined => {
    const worker = workerOfId(id)
    return worker === workers.number ? undefined : worker
  }

  async function visit(owner: number, wanted: Wanted): Promise<void> {
    const known = visiting(wanted, store)
    const told = await askOwner(owner, { ...wanted, known: [...(known?.models.keys() ?? [])] })
    if (told === undefined) {
      if (known !== undefined) store.farewell(known.id)
      return
    }
    const models = new Map<string, LoadedModel>()
    // The current models: another request may have added or removed some meanwhile.
    const here = store.find(told.facts.id)?.models
    for (const [id, loaded] of told.models) {
      const held = here?.get(id) ?? (loaded && library.retain(loaded))
      if (held !== undefined) models.set(id, held)
    }
    store.welcome(told.facts, models)
    if (models.size < told.models.length) await visit(owner, wanted)
  }

  async function askOwner(owner: number, question: Visit): Promise<Told | undefined> {
    try {
      return await workers.ask(owner, VISIT, question)
    } catch (error) {
      if (!(error instanceof WorkerGone)) throw error
      const known = visiting(question, store)
      if (known !== undefined) store.farewell(known.id)
      if (!error.served) return undefined
      const what =
        question.sessionId === undefined ? `model '${shown(question.modelId ?? '')}'` : `session '${shown(question.sessionId)}'`
      return fail('SESSION_NOT_FOUND', `The worker that held the ${what} has ended, and its sessions with it`, {
        hint: 'Open a new session with POST /v1/sessions and load the model again.',
      })
    }
  }

  const others = async () => (await workers.askOthers(LIST, null)).flat()

  /** The models of the only session, of any worker; if there are several, the list of them. */
  async function reachOnly(): Promise<void> {
    const there = await others()
    const live = new Set(there.map(({ id }) => id))
    for (const session of store.list()) if (session.visiting && !live.has(session.id)) store.farewell(session.id)
    for (const facts of there) store.welcome(facts, store.find(facts.id)?.models ?? new Map())
    const [only] = there
    if (only !== undefined && store.list().length === 1) await reach({ sessionId: only.id })
  }

  async function reach({ sessionId, modelId, model }: QueryTarget): Promise<void> {
    const named = sessionId ?? modelId
    if (named !== undefined) {
      const owner = foreign(named)
      if (owner !== undefined) await visit(owner, sessionId === undefined ? { modelId } : { sessionId })
    } else if (model === undefined && mayListSessions && store.protectedSessions().length === 0) await reachOnly()
  }

  return { reach, others, ownerOf: foreign }
}

const ownSessions = (store: SessionStore<LoadedModel>) => store.list().filter((session) => !session.visiting)

function heldHere({ sessionId, modelId = '' }: Wanted, store: SessionStore<LoadedModel>): Session<LoadedModel> | undefined {
  if (sessionId === undefined) return ownSessions(store).find(({ models }) => models.has(modelId))
  const session = store.find(sessionId)
  return session?.visiting ? undefined : session
}

function visiting({ sessionId, modelId = '' }: Wanted, store: SessionStore<LoadedModel>): Session<LoadedModel> | undefined {
  const found = sessionId === undefined ? store.list().find(({ models }) => models.has(modelId)) : store.find(sessionId)
  return found?.visiting ? found : undefined
}

const factsOf = (session: Session<LoadedModel>): SessionFacts => {
  const { id, owner, metadata, createdAt, maxExpiresAt, lastAccessedAt, expiresAt, models } = session
  return { id, owner, metadata, createdAt, maxExpiresAt, lastAccessedAt, expiresAt, modelCount: models.size }
}

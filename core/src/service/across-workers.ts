/** The methods that concern all workers of a server: the state of a session changes at its owner, and caches are cleared everywhere. */

import type { Principal } from '../auth/principal.js'
import type { TableName } from '../cache/table-name.js'
import { firstOf } from '../invariant.js'
import type { SessionStore } from '../session/session-store.js'
import { topic, WorkerGone, type Workers } from '../workers/workers.js'
import type { ModelRequest, SessionInfo } from './held-models.js'
import type { LoadedModel } from './model-library.js'
import { handleOf, mayReach } from './resolve-model.js'
import type { CacheStats, Heartbeat, SemanticService } from './semantic-service.js'
import { checkMetadata, factsInfo, sessionInfo } from './sessions.js'
import type { Visits } from './visits.js'

type Held = Pick<
  SemanticService,
  'createSession' | 'listSessions' | 'deleteSession' | 'loadModel' | 'deleteModel' | 'counts' | CacheVerb
>
type CacheVerb = 'cacheStats' | 'sweepCache' | 'clearCache' | 'heartbeat'

interface LoadRequest {
  readonly sessionId: string
  readonly request: ModelRequest & { readonly dedup?: boolean }
}
type Loaded = Pick<Awaited<ReturnType<SemanticService['loadModel']>>, 'modelId' | 'modelLoad' | 'warnings' | 'health'>
interface OfModel {
  readonly sessionId: string
  readonly modelId: string
  readonly principal: Principal | undefined
}

const LOAD = topic<LoadRequest, Loaded>('model.load')
const DELETE_MODEL = topic<OfModel, void>('model.delete')
const DELETE_SESSION = topic<Omit<OfModel, 'modelId'>, void>('session.delete')
const COUNTS = topic<null, Awaited<ReturnType<SemanticService['counts']>>>('counts')
const STATS = topic<null, CacheStats>('cache.stats')
const SWEEP = topic<null, Awaited<ReturnType<SemanticService['sweepCache']>>>('cache.sweep')
const CLEAR = topic<null, Awaited<ReturnType<SemanticService['clearCache']>>>('cache.clear')
const HEARTBEAT = topic<TableName, Heartbeat>('cache.heartbeat')

interface Deps {
  readonly workers: Workers
  readonly visits: Visits
  readonly store: SessionStore<LoadedModel>
  /** Each process has a separate store of answers. */
  readonly storesApart: boolean
}

/** `own` are the methods of this worker alone. */
export function acrossWorkers<V extends Held>(own: V, { workers, visits, store, storesApart }: Deps): V & Held {
  answerOthers(own, workers)

  /** The answer of the owner of a session. A session without an owner is refused here. */
  async function atOwner<T>(sessionId: string, ask: (owner: number) => Promise<T>, here: () => Promise<T>): Promise<T> {
    const owner = visits.ownerOf(sessionId)
    if (owner === undefined) return here()
    try {
      return await ask(owner)
    } catch (error) {
      if (!(error instanceof WorkerGone)) throw error
      // Reports that the worker has ended; a number that no worker has had is an unknown session.
      await visits.reach({ sessionId })
      return here()
    }
  }

  return {
    ...own,
    async createSession({ metadata, client, by }) {
      checkMetadata(metadata)
      let admission = await workers.admitSession(client)
      // Expired sessions count until they are swept.
      if (admission.kind === 'full') {
        store.sweep()
        for (const facts of await visits.others()) store.welcome(facts, store.find(facts.id)?.models ?? new Map())
        admission = await workers.admitSession(undefined)
      }
      if (admission.kind === 'too-fast') return store.refuseTooFast(admission.waitMs)
      if (admission.kind === 'full') return store.refuseFull(admission.held)
      return sessionInfo(store.open(metadata, by?.id))
    },
    async listSessions(by) {
      const here = new Set(store.list().flatMap(({ id, visiting }) => (visiting ? id : [])))
      const listed = (await own.listSessions(by)).filter(({ session_id }) => !here.has(session_id))
      const others = (await visits.others()).filter((facts) => mayReach({ ...facts, protected: false }, by)).map(factsInfo)
      return [...listed, ...others].toSorted(byAge)
    },
    deleteSession: (id, by) =>
      atOwner(
        id,
        async (owner) => {
          await workers.ask(owner, DELETE_SESSION, { sessionId: id, principal: by })
          store.farewell(id)
        },
        () => own.deleteSession(id, by),
      ),
    loadModel: (sessionId, request) =>
      atOwner(
        sessionId,
        async (owner) => {
          const { modelId, ...loaded } = await workers.ask(owner, LOAD, { sessionId, request })
          await visits.reach({ sessionId })
          const held = store.access(sessionId).models.get(modelId)
          // Another client may have deleted it at once, as after any answer.
          return held
            ? { ...handleOf([sessionId, modelId], held, request.asker?.principal, store), ...loaded }
            : own.loadModel(sessionId, request)
        },
        () => own.loadModel(sessionId, request),
      ),
    deleteModel: (sessionId, modelId, principal) =>
      atOwner(
        sessionId,
        (owner) => workers.ask(owner, DELETE_MODEL, { sessionId, modelId, principal }),
        () => own.deleteModel(sessionId, modelId, principal),
      ),
    async counts() {
      const all = [await own.counts(), ...(await workers.askOthers(COUNTS, null))]
      const { publishedModels } = firstOf(all)
      return { sessions: sum(all, (each) => each.sessions), models: sum(all, (each) => each.models), publishedModels }
    },
    ...cachesOfAll(own, workers, storesApart),
  }
}

/** What this worker does for the others. */
function answerOthers(own: Held, workers: Workers): void {
  workers.answer(LOAD, async ({ sessionId, request }) => {
    const { modelId, modelLoad, warnings, health } = await own.loadModel(sessionId, request)
    return { modelId, modelLoad, warnings, health }
  })
  workers.answer(DELETE_MODEL, ({ sessionId, modelId, principal }) => own.deleteModel(sessionId, modelId, principal))
  workers.answer(DELETE_SESSION, ({ sessionId, principal }) => own.deleteSession(sessionId, principal))
  workers.answer(COUNTS, () => own.counts())
  workers.answer(STATS, () => own.cacheStats())
  workers.answer(SWEEP, () => own.sweepCache())
  workers.answer(CLEAR, () => own.clearCache())
  workers.answer(HEARTBEAT, (table) => own.heartbeat(table))
}

function cachesOfAll(own: Pick<Held, CacheVerb>, workers: Workers, storesApart: boolean): Pick<Held, CacheVerb> {
  return {
    async cacheStats() {
      const all = [await own.cacheStats(), ...(await workers.askOthers(STATS, null))]
      return together(all, storesApart)
    },
    async sweepCache() {
      const all = [await own.sweepCache(), ...(await workers.askOthers(SWEEP, null))]
      const { backend } = firstOf(all)
      return { backend, expired: sum(all, ({ expired }) => expired), evicted: sum(all, ({ evicted }) => evicted) }
    },
    async clearCache() {
      const all = [await own.clearCache(), ...(await workers.askOthers(CLEAR, null))]
      return { backend: firstOf(all).backend, cleared: sum(all, ({ cleared }) => cleared) }
    },
    async heartbeat(table) {
      const first = await own.heartbeat(table)
      const all = [first, ...(await workers.askOthers(HEARTBEAT, table))]
      const dataObjects = [...new Set(all.flatMap((each) => each.dataObjects))].sort()
      return { ...first, invalidated: sum(all, ({ invalidated }) => invalidated), dataObjects }
    },
  }
}

const sum = <T>(all: readonly T[], of: (each: T) => number): number => all.reduce((total, each) => total + of(each), 0)
const byAge = (a: SessionInfo, b: SessionInfo): number => Date.parse(a.created_at) - Date.parse(b.created_at)

/** The caches of all workers: each counts its own hits, and a shared store is counted once. */
function together(all: readonly CacheStats[], storesApart: boolean): CacheStats {
  const [first] = all
  const results = all.map((each) => each.results)
  const compile = all.map((each) => each.compile)
  const stored = storesApart ? results : results.slice(0, 1)
  return {
    ...first!,
    maxBytes: storesApart ? sum(all, ({ maxBytes }) => maxBytes) : first!.maxBytes,
    results: {
      ...first!.results,
      entries: sum(stored, ({ entries }) => entries),
      bytes: sum(stored, ({ bytes }) => bytes),
      hits: sum(results, ({ hits }) => hits),
      misses: sum(results, ({ misses }) => misses),
      invalidations: sum(results, ({ invalidations }) => invalidations),
    },
    compile: {
      entries: sum(compile, ({ entries }) => entries),
      bytes: sum(compile, ({ bytes }) => bytes),
      hits: sum(compile, ({ hits }) => hits),
      misses: sum(compile, ({ misses }) => misses),
      evictions: sum(compile, ({ evictions }) => evictions),
    },
  }
}

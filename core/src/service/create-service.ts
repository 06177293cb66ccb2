import type { Language } from '../language/language.js'
import { modelLanguage } from '../model/model-language.js'
import { type ReferencePage, referencePages, referenceSchemas } from '../reference/reference-pages.js'
import { SessionStore } from '../session/session-store.js'
import type { Settings } from '../settings/core-variables.js'
import { acrossWorkers } from './across-workers.js'
import type { QueryObserver } from './asking.js'
import { createBatch } from './batch.js'
import { createCaching } from './caching.js'
import { catalogueOf } from './catalogue.js'
import { type Connections, createConnections } from './connections.js'
import { createDiscovery } from './discovery.js'
import type { PreloadedModel } from './held-models.js'
import { type LoadedModel, ModelLibrary } from './model-library.js'
import { createModels } from './models.js'
import { Observers, observeQueries } from './observe-queries.js'
import { createPhysicalCatalogue } from './physical-types.js'
import { checkPublished, preloadModels } from './preload-models.js'
import type { ModelSource } from './project.js'
import { executionEnabled, publicSettings } from './public-settings.js'
import { createQueries } from './queries.js'
import { reachFirst } from './reach-first.js'
import { refuseWhenClosed } from './refuse-when-closed.js'
import { reloadModels } from './reload-models.js'
import { createRowsBehind } from './rows-behind.js'
import type { SemanticService } from './semantic-service.js'
import type { ServiceDeps } from './service-deps.js'
import { createSessions } from './sessions.js'
import { shareOfWorker } from './share-of-worker.js'
import { createStatements } from './statements.js'
import { createVerification } from './verification.js'
import { createVisits } from './visits.js'
import { warmUp } from './warm-up.js'

/** The service of one host. It does nothing until `start`; opens connections on first use. */
export function createService(given: ServiceDeps): SemanticService {
  const { logger, workers } = given
  const deps = { ...given, settings: shareOfWorker(given.settings, workers?.count ?? 1) }
  const { settings } = deps
  const library = new ModelLibrary()
  const store = storeOf(deps, library)
  const connections = connectionsOf(deps)
  const caching = createCaching(deps)
  const physical = createPhysicalCatalogue(settings, connections, logger)
  const verification = createVerification({ ...deps, physical }, connections)
  const queries = createQueries({ ...deps, physical, ...caching.heard }, connections, caching.results, verification.faultsOf)
  const models = createModels({ ...deps, store, library, physical, compileExample: queries.compileExample })
  const { readFile, readFileAlone, examplesOf } = models
  const files = new Map<string, ModelSource>()
  const preloading = { ...deps, store, library, files, physical, readFile, readFileAlone, examplesOf }
  const sweeps = setInterval(() => store.sweep(), settings.SESSION_CLEANUP_INTERVAL * 1000)
  sweeps.unref()
  const asking = queries.verbs(models.verbs.resolveModel)
  const observers = new Observers()
  const observed = { ...asking, ...observeQueries(asking, observers, models.verbs.resolveModel) }
  const statements = createStatements(deps, { ...observed, modelReach: models.modelReach })
  const curated = settings.MODEL_FILES.length > 0
  const published = () => models.verbs.publishedModels(undefined).map(({ model }) => model)
  const own = {
    ...createSessions(store, settings),
    ...models.verbs,
    ...caching.verbs(queries.compilations, () => (settings.DISABLE_SESSION_LIST ? published() : library.models())),
    counts: async () => countsOf(store),
  }
  const visits = workers && createVisits({ workers, store, library, mayListSessions: !settings.DISABLE_SESSION_LIST })
  const held = workers && visits ? acrossWorkers(own, { workers, visits, store, storesApart: hasStoresApart(deps) }) : own
  let closed = false
  const all = {
    ...held,
    ...observed,
    ...createRowsBehind({ ...models.verbs, ...observed, modelOfQuery: queries.modelOfQuery }),
    ...statements.verbs,
    ...verification.verbs(models.verbs.resolveModel),
    ...createBatch({ settings, logger, curated }, { ...held, ...observed }),
  }
  let started = false
  const verbs = {
    isReady: async () => started && (!executionEnabled(settings) || (await connections.areReachable())),
    start: async (preload: readonly PreloadedModel[]) => {
      await preloadModels(preload, preloading)
      started = true
    },
    reloadModels: () => reloadModels(preloading),
    reopenDatabases: () => reopenDatabases(connections, physical, own),
    checkPublished: () => checkPublished(preloading, () => closed),
    warmUp: () => warmUp(models, queries),
    reach: visits?.reach ?? (async () => undefined),
    ...createDiscovery(deps),
    ...all,
    ...(visits && reachFirst(all, visits.reach)),
    observe: (observer: QueryObserver) => observers.add(observer),
    publicSettings: () => publicSettings(given.settings),
    ...referenceOf(deps),
  }
  return {
    executionEnabled: executionEnabled(settings),
    curated,
    ...refuseWhenClosed(verbs, () => closed),
    async close() {
      closed = true
      clearInterval(sweeps)
      // Before the first asynchronous wait, so that nothing new begins while connections close.
      store.close()
      queries.abortAll()
      statements.abortAll()
      verification.abortAll()
      await connections.close()
      await caching.close()
    },
  }
}

/** Whatever was known of the tables of a changed connection is forgotten. */
async function reopenDatabases(
  connections: Connections,
  physical: ReturnType<typeof createPhysicalCatalogue>,
  { clearCache }: Pick<SemanticService, 'clearCache'>,
): Promise<void> {
  if ((await connections.reopen()).length === 0) return
  physical.forget()
  await clearCache()
}

const storeOf = ({ settings, now, randomId, workers }: ServiceDeps, library: ModelLibrary): SessionStore<LoadedModel> =>
  new SessionStore(
    limitsOf(settings),
    now,
    randomId,
    (held) => library.release(held),
    () => workers?.sessionEnded(),
  )

const connectionsOf = ({ vendors, settings, logger, randomId }: ServiceDeps): Connections =>
  createConnections({
    vendors,
    preferred: settings.DB_VENDOR,
    logger,
    poolSize: settings.DB_POOL_SIZE,
    randomId,
    countsMs: settings.READY_DATABASE_SECONDS * 1000,
  })

/** Whether each process has a separate store of answers. */
const hasStoresApart = ({ settings, caches }: ServiceDeps): boolean =>
  settings.CACHE_BACKEND !== 'noop' && caches.get(settings.CACHE_BACKEND).apart === true

/** The languages, described for people and programs. */
function referenceOf(deps: ServiceDeps): Pick<SemanticService, 'jsonSchemas' | 'referencePages' | 'modelLanguage'> {
  const catalogue = catalogueOf(deps)
  return {
    jsonSchemas: () => referenceSchemas,
    referencePages: () => [...referencePages, ...languagePages(deps.languages)],
    modelLanguage: () => modelLanguage(catalogue()),
  }
}

function languagePages(languages: Iterable<Language>): readonly ReferencePage[] {
  return [...languages].flatMap(({ name, reference }) => (reference ? [{ name, ...reference }] : []))
}

function limitsOf(settings: Settings) {
  return {
    ttlSeconds: settings.SESSION_TTL_SECONDS,
    maxAgeSeconds: settings.SESSION_MAX_AGE_SECONDS,
    maxSessions: settings.MAX_SESSIONS,
    perMinute: settings.SESSION_RATE_LIMIT,
  }
}

function countsOf(store: SessionStore<LoadedModel>): Awaited<ReturnType<SemanticService['counts']>> {
  const own = store.list().filter((session) => !session.protected && !session.visiting)
  const modelsOf = (sessions: readonly { readonly models: ReadonlyMap<string, unknown> }[]) =>
    sessions.reduce((sum, { models }) => sum + models.size, 0)
  return { sessions: own.length, models: modelsOf(own), publishedModels: modelsOf(store.protectedSessions()) }
}

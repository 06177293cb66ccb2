import type { Language } from '../language/language.js'
import { modelLanguage } from '../model/model-language.js'
import { type ReferencePage, referencePages, referenceSchemas } from '../reference/reference-pages.js'
import { SessionStore } from '../session/session-store.js'
import type { Settings } from '../settings/core-variables.js'
import type { QueryObserver } from './asking.js'
import { createBatch } from './batch.js'
import { createCaching } from './caching.js'
import { catalogueOf } from './catalogue.js'
import { createConnections } from './connections.js'
import { createDiscovery } from './discovery.js'
import type { PreloadedModel } from './held-models.js'
import { type LoadedModel, ModelLibrary } from './model-library.js'
import { createModels } from './models.js'
import { Observers, observeQueries } from './observe-queries.js'
import { createPhysicalCatalogue } from './physical-types.js'
import { preloadModels } from './preload-models.js'
import { executionEnabled, publicSettings } from './public-settings.js'
import { createQueries } from './queries.js'
import { refuseWhenClosed } from './refuse-when-closed.js'
import { reloadModels } from './reload-models.js'
import { createRowsBehind } from './rows-behind.js'
import type { SemanticService } from './semantic-service.js'
import type { ServiceDeps } from './service-deps.js'
import { createSessions } from './sessions.js'
import { createStatements } from './statements.js'
import { createVerification } from './verification.js'

/** The service of one host. It does nothing until `start`; opens connections on first use. */
export function createService(deps: ServiceDeps): SemanticService {
  const { settings, logger, now, randomId } = deps
  const library = new ModelLibrary()
  const store = new SessionStore<LoadedModel>(limitsOf(settings), now, randomId, (held) => library.release(held))
  const connections = createConnections({
    vendors: deps.vendors,
    preferred: settings.DB_VENDOR,
    logger,
    poolSize: settings.DB_POOL_SIZE,
    randomId,
  })
  const caching = createCaching(deps)
  const physical = createPhysicalCatalogue(executionEnabled(settings), connections, logger)
  const verification = createVerification({ ...deps, physical }, connections)
  const queries = createQueries({ ...deps, physical }, connections, caching.results, verification.faultsOf)
  const models = createModels({ ...deps, store, library, compileExample: queries.compileExample })
  const preloading = { settings, logger, store, library, readFile: models.readFile, files: new Map<string, string>() }
  const sweeps = setInterval(() => store.sweep(), settings.SESSION_CLEANUP_INTERVAL * 1000)
  sweeps.unref()
  const asking = queries.verbs(models.verbs.resolveModel)
  const observers = new Observers()
  const observed = { ...asking, ...observeQueries(asking, observers) }
  const statements = createStatements(deps, { ...observed, modelReach: models.modelReach })
  const sessions = createSessions(store, settings)
  const curated = settings.MODEL_FILES.length > 0
  const published = () => models.verbs.publishedModels().map(({ model }) => model)
  const catalogue = catalogueOf(deps)
  let closed = false

  const verbs = {
    start: (preload: readonly PreloadedModel[]) => preloadModels(preload, preloading),
    reloadModels: () => reloadModels(preloading),
    ...sessions,
    ...models.verbs,
    ...createDiscovery(deps),
    ...observed,
    ...createRowsBehind({ ...models.verbs, ...observed }),
    ...statements.verbs,
    ...verification.verbs(models.verbs.resolveModel),
    ...createBatch({ settings, logger, curated }, { ...sessions, ...models.verbs, ...observed }),
    ...caching.verbs(queries.compilations, () => (settings.DISABLE_SESSION_LIST ? published() : library.models())),
    observe: (observer: QueryObserver) => observers.add(observer),
    counts: () => countsOf(store),
    publicSettings: () => publicSettings(settings),
    jsonSchemas: () => referenceSchemas,
    referencePages: () => [...referencePages, ...languagePages(deps.languages)],
    modelLanguage: () => modelLanguage(catalogue()),
  }
  return {
    executionEnabled: executionEnabled(settings),
    curated,
    ...refuseWhenClosed(verbs, () => closed),
    async close() {
      closed = true
      clearInterval(sweeps)
      // Before the first wait, so that nothing new begins while connections close.
      store.close()
      queries.abortAll()
      statements.abortAll()
      verification.abortAll()
      await connections.close()
      await caching.close()
    },
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

function countsOf(store: SessionStore<LoadedModel>): ReturnType<SemanticService['counts']> {
  const own = store.list().filter((session) => !session.protected)
  const modelsOf = (sessions: readonly { readonly models: ReadonlyMap<string, unknown> }[]) =>
    sessions.reduce((sum, { models }) => sum + models.size, 0)
  return { sessions: own.length, models: modelsOf(own), publishedModels: modelsOf(store.protectedSessions()) }
}

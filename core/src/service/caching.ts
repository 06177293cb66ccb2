import { cacheSecret } from '../cache/cache-secret.js'
import type { CacheBackend, CacheStore } from '../cache/cache-store.js'
import { cautiousStore } from '../cache/cautious-store.js'
import type { CompileCache } from '../cache/compile-cache.js'
import { ResultCache } from '../cache/result-cache.js'
import { foldedName, mayBeSame, spokenName } from '../cache/table-name.js'
import type { Logger } from '../logger.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { Point } from '../point.js'
import type { Settings } from '../settings/core-variables.js'
import { executionEnabled } from './public-settings.js'
import { HeartbeatRecord } from './rollups/heartbeat-record.js'
import type { CacheService } from './semantic-service.js'

interface CachingDeps {
  readonly settings: Settings
  readonly logger: Logger
  readonly caches: Point<CacheBackend>
  readonly now: () => Date
  readonly randomId: () => string
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The cache of answers that `CACHE_BACKEND` selects, and its administration. `noop` stores none. */
export function createCaching(deps: CachingDeps) {
  const { settings, caches } = deps
  const backend = settings.CACHE_BACKEND
  const heartbeats = new HeartbeatRecord(() => deps.now().getTime())
  // Servers that share a store may have heartbeats that this one does not hear.
  const mayMissHeartbeats = backend !== 'noop' && caches.get(backend).apart !== true
  const results = backend !== 'noop' && executionEnabled(settings) ? resultCache(deps) : undefined
  const everyMs = Math.min(LONGEST_TIMER_MS, settings.CACHE_SWEEP_INTERVAL_SECONDS * 1000)
  let nextSweepAt = Date.now() + everyMs
  const sweeps = setInterval(() => {
    nextSweepAt = Date.now() + everyMs
    results?.sweep().catch(() => {})
  }, everyMs)
  sweeps.unref()

  return {
    results,
    heard: { heartbeats, mayMissHeartbeats },
    async close() {
      clearInterval(sweeps)
      await results?.close()
    },
    verbs: (compilations: CompileCache, models: () => Iterable<SemanticModel>): CacheService => ({
      async cacheStats() {
        const stats = await results?.stats()
        return {
          backend,
          maxBytes: (results && caches.get(backend).maxBytes) ?? 0,
          nextSweepAt: results && nextSweepAt,
          results: stats ?? NOTHING_KEPT,
          compile: compilations.stats,
        }
      },
      sweepCache: async () => ({ backend, ...((await results?.sweep()) ?? { expired: 0, evicted: 0 }) }),
      async clearCache() {
        compilations.clear()
        return { backend, cleared: (await results?.clear()) ?? 0 }
      },
      async heartbeat(table) {
        const folded = foldedName(table)
        heartbeats.note(folded)
        const reads = (model: SemanticModel) =>
          [...model.dataObjects.values()]
            .filter(({ source }) => source.kind === 'table' && mayBeSame(foldedName(source), folded))
            .map(({ name }) => name)
        return {
          table: spokenName(table),
          recordedAt: deps.now(),
          invalidated: (await results?.invalidate(folded)) ?? 0,
          dataObjects: [...new Set([...models()].flatMap(reads))].sort(),
        }
      },
    }),
  }
}

const NOTHING_KEPT = { entries: 0, bytes: 0, hits: 0, misses: 0, oldestAt: undefined, tables: 0, invalidations: 0 }

function resultCache({ settings, logger, caches, now, randomId }: CachingDeps): ResultCache {
  const log = logger.child({ cache: settings.CACHE_BACKEND })
  const backend = caches.get(settings.CACHE_BACKEND)
  const open = (): Promise<CacheStore> => backend.open({ logger: log })
  const keepsUnknown = settings.CACHE_UNKNOWN_FRESHNESS_POLICY === 'default_ttl'
  return new ResultCache({
    store: cautiousStore(open, { logger: log }),
    secret: cacheSecret(settings.CACHE_KEY, backend),
    policy: {
      minSeconds: settings.CACHE_MIN_TTL_SECONDS,
      maxSeconds: settings.CACHE_MAX_TTL_SECONDS,
      unknownSeconds: keepsUnknown ? settings.CACHE_UNKNOWN_FRESHNESS_DEFAULT_TTL : undefined,
    },
    maxValueBytes: settings.CACHE_MAX_VALUE_BYTES,
    logger: log,
    now,
    randomId,
  })
}

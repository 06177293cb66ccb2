import type { FastifyInstance } from 'fastify'
import type { RestContext } from '../context.js'
import { CacheCleared, CacheStats, CacheSwept } from '../schemas/cache.js'
import { answers } from '../schemas/common.js'

export function cacheRoutes(app: FastifyInstance, { service }: RestContext): void {
  const tags = ['service']
  const stats = { summary: 'What the caches hold', tags, response: answers(200, CacheStats) }
  app.get('/cache/stats', { schema: stats }, async () => {
    const { backend, maxBytes, nextSweepAt, results, compile } = await service.cacheStats()
    const asked = results.hits + results.misses
    return {
      backend,
      entry_count: results.entries,
      total_size_bytes: results.bytes,
      max_size_bytes: maxBytes,
      hit_count_total: results.hits,
      miss_count_total: results.misses,
      hit_rate: asked === 0 ? 0 : results.hits / asked,
      ...(results.oldestAt !== undefined && { oldest_entry: iso(results.oldestAt) }),
      ...(nextSweepAt !== undefined && { next_sweep_at: iso(nextSweepAt) }),
      tracked_physical_tables: results.tables,
      heartbeat_invalidations_total: results.invalidations,
      compile,
    }
  })
  const sweep = { summary: 'Remove expired answers', tags, response: answers(200, CacheSwept) }
  app.post('/cache/sweep', { schema: sweep }, async () => {
    const { backend, expired, evicted } = await service.sweepCache()
    return { backend, ttl_evicted: expired, capacity_evicted: evicted }
  })
  const clear = { summary: 'Forget every answer', tags, response: answers(200, CacheCleared) }
  app.post('/cache/clear', { schema: clear }, async () => {
    const { backend, cleared } = await service.clearCache()
    return { backend, entries_cleared: cleared }
  })
}

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

import { Type } from '@grainline/core'
import { nullable, strict, strings } from './common.js'

const count = Type.Integer()
const moment = Type.Optional(Type.String({ description: 'ISO 8601, UTC.' }))

export const CacheStats = Type.Object(
  {
    backend: Type.String(),
    entry_count: count,
    total_size_bytes: count,
    max_size_bytes: Type.Integer({ description: 'The most that the backend holds; 0 if no setting limits it.' }),
    hit_count_total: count,
    miss_count_total: count,
    hit_rate: Type.Number({ description: 'Hits divided by lookups; 0 before the first lookup.' }),
    oldest_entry: moment,
    next_sweep_at: moment,
    tracked_physical_tables: count,
    heartbeat_invalidations_total: count,
    compile: Type.Object({ entries: count, bytes: count, hits: count, misses: count, evictions: count }),
  },
  { title: 'CacheStats' },
)

export const CacheSwept = Type.Object(
  { backend: Type.String(), ttl_evicted: count, capacity_evicted: count },
  { title: 'CacheSwept' },
)
export const CacheCleared = Type.Object({ backend: Type.String(), entries_cleared: count }, { title: 'CacheCleared' })

const part = Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 500 })))

export const HeartbeatRequest = strict(
  {
    database: part,
    schema: part,
    table: Type.String({ minLength: 1, maxLength: 500 }),
    timestamp: Type.Optional(nullable(Type.String({ description: 'When the table was loaded, for the log.' }))),
  },
  { title: 'HeartbeatRequest', description: 'A part that is left out matches any value.' },
)

export const HeartbeatResponse = Type.Object(
  { table_ref: Type.String(), recorded_at: Type.String(), invalidated_cache_entries: count, affected_data_objects: strings },
  { title: 'HeartbeatResponse' },
)

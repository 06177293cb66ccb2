/** Some flights of the example, queried from a service without a cache and from one that caches everything. */
import path from 'node:path'
import file from '@grainline/cache-file'
import memory from '@grainline/cache-memory'
import redis from '@grainline/cache-redis'
import duckdb from '@grainline/vendor-duckdb'
import { dialects, type Json, startRest } from '../rest/server.js'

const folder = path.resolve(import.meta.dirname, '../../examples/flights')
const init = ['flights', 'airlines', 'airports', 'planes', 'weather', 'hours'].map(
  (name) => `CREATE TABLE ${name} AS SELECT * FROM read_parquet('${path.join(folder, `data/${name}.parquet`)}') LIMIT 2000`,
)

const fields = {
  dimensions: ['Origin Airport', 'Airline', 'Month'],
  measures: ['Flight Count', 'Average Departure Delay', 'Cancellation Rate'],
}

/** Queries that all differ, each with one defined order of its rows. */
export const questions: readonly object[] = fields.dimensions.flatMap((dimension) =>
  fields.measures.map((measure) => ({
    select: { dimensions: [dimension], measures: [measure] },
    order_by: [{ field: dimension }],
  })),
)

/** `keeping` selects the cache of the second service. */
export async function executionOf(keeping: Record<string, unknown> = { CACHE_BACKEND: 'memory' }) {
  const start = async (settings: Record<string, unknown>) =>
    startRest({
      plugins: [...dialects, { use: duckdb, with: { init } }, memory, file, redis],
      settings: { QUERY_EXECUTE: true, CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl', ...settings },
      preload: [{ session: 'flights', model: path.join(folder, 'model.yaml') }],
    })
  const servers = { plain: await start({}), keeping: await start(keeping) }
  return {
    fields,
    server: servers.keeping,
    async ask(which: keyof typeof servers, query: object): Promise<Json> {
      const { status, body, text } = await servers[which].post('/v1/query/execute', { query })
      if (status !== 200) throw new Error(text)
      return body
    },
    close: () => Promise.all([servers.plain.close(), servers.keeping.close()]),
  }
}

/** The flights of the example, asked of a service that keeps nothing and of one that keeps everything. */
import path from 'node:path'
import memory from '@grainline/cache-memory'
import duckdb from '@grainline/vendor-duckdb'
import { dialects, type Json, startRest } from '../rest/server.js'

const folder = path.resolve(import.meta.dirname, '../../examples/flights')
const tables = Object.fromEntries(
  ['flights', 'airlines', 'airports', 'planes', 'weather'].map((name) => [name, path.join(folder, `data/${name}.parquet`)]),
)

export async function executionOf() {
  const start = async (settings: Record<string, unknown>) =>
    startRest({
      plugins: [...dialects, { use: duckdb, with: { tables } }, memory],
      settings: { QUERY_EXECUTE: true, CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl', ...settings },
      preload: [{ session: 'flights', model: path.join(folder, 'model.yaml') }],
    })
  const servers = { plain: await start({}), keeping: await start({ CACHE_BACKEND: 'memory' }) }
  return {
    fields: {
      dimensions: ['Origin Airport', 'Airline', 'Month'],
      measures: ['Flight Count', 'Average Departure Delay', 'Cancellation Rate'],
    },
    async ask(which: keyof typeof servers, query: object): Promise<Json> {
      const { status, body, text } = await servers[which].post('/v1/query/execute', { query })
      if (status !== 200) throw new Error(text)
      return body
    },
    close: () => Promise.all([servers.plain.close(), servers.keeping.close()]),
  }
}

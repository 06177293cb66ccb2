import { flightsConfig } from './flights.js'
import { healthDuring } from './health.js'
import { type HostileReport, hostileMix } from './hostile-mix.js'
import { startWatched } from './server.js'

const MB = 1024 * 1024
const MOST_MEMORY = 1024 * MB
const SETTINGS = {
  MAX_SESSIONS: '24',
  SESSION_RATE_LIMIT: '20',
  SESSION_MAX_MODEL_BYTES: String(8 * MB),
  ANSWER_MAX_ROWS: '5000',
  SQL_DEFAULT_LIMIT: '2000',
  COMPILE_MAX_STEPS: '1000',
  SESSION_TTL_SECONDS: '120',
  SESSION_CLEANUP_INTERVAL: '5',
  MODEL_SQL: 'allow',
  DB_POOL_SIZE: '3',
  CLIENT_MAX_STATEMENTS: '2',
  REST_QUERY_TIMEOUT_SECONDS: '5',
  DUCKDB_MEMORY_LIMIT: '256MB',
  DUCKDB_THREADS: '1',
  PGWIRE_ENABLED: 'true',
  PGWIRE_HOST: '127.0.0.1',
  PGWIRE_PORT: '0',
  PGWIRE_CATALOG: 'off',
  PGWIRE_AUTH_TIMEOUT_SECONDS: '20',
  // The time limit includes the wait for a connection, as in PostgreSQL.
  PGWIRE_QUERY_TIMEOUT_SECONDS: '15',
  PGWIRE_MAX_CONNECTIONS: '32',
  FLIGHT_ENABLED: 'true',
  FLIGHT_PORT: '0',
  FLIGHT_QUERY_TIMEOUT_SECONDS: '5',
}

/** Each address is one client. */
const BURST_FROM = Array.from({ length: 8 }, (_, i) => `127.0.0.${i + 10}`)
/** The share of the queries of other clients that must be answered. */
const LEAST_ANSWERED = 0.5
const MOST_WARMING_MS = 2 * 60_000

/** The error of every budget; the last one is that of too many connections of the Postgres wire. */
const BUDGETS = [
  'ANSWER_TOO_LARGE',
  'COMPILE_BUDGET',
  'DEFAULT_LIMIT_EXCEEDED',
  'EVALUATION_TOO_LARGE',
  'MEMORY_LIMIT',
  'POOL_EXHAUSTED',
  'QUERY_TIMEOUT',
  'QUERY_TOO_LARGE',
  'RATE_LIMITED',
  'SESSION_LIMIT',
  'STATEMENT_TOO_LARGE',
  'TOO_MANY_STATEMENTS',
  'WIRE_53300',
]

/**
 * All attacks at once for so many minutes, on a server with at most 1 GB. Fails if the server stops, returns a 500, changes an answer of a
 * client that behaves, does not answer such clients, or takes more memory than that.
 */
export async function hostileHour(minutes: number, seed = 20261122): Promise<string> {
  const server = await startWatched(
    {
      ...SETTINGS,
      // The settings for a container of 1 GB from docs/threat-model.md.
      MALLOC_ARENA_MAX: '2',
      NODE_OPTIONS: '--max-old-space-size=448',
      WATCH_TURNS: process.env.WATCH_TURNS ?? '',
    },
    flightsConfig,
  )
  const target = { url: server.url, wire: await server.wire(), flight: await server.flight() }
  const mix = (ms: number) => {
    const until = performance.now() + ms
    const attackFrom = ['127.0.0.2', '127.0.0.3']
    return hostileMix(target, {
      seed,
      clients: 6,
      slice: 500,
      pauseMs: 1000,
      attackFrom,
      burstFrom: BURST_FROM,
      over: () => performance.now() > until,
    })
  }
  const orTold = async (error: unknown): Promise<never> => {
    // If the server stopped by itself, the log contains the reason.
    await Promise.race([server.ended, new Promise((resolve) => setTimeout(resolve, 2000))])
    // The last words of the engine are not JSON, and may precede the last lines of the log.
    const engine = server
      .log()
      .split('\n')
      .filter((line) => !line.startsWith('{'))
    console.error(new Date().toISOString(), engine.slice(-100).join('\n'), server.log().slice(-2000))
    throw error
  }
  // The time of the start and of the first use of a module is reported separately.
  await mix(Math.min(MOST_WARMING_MS, minutes * 10_000)).catch(orTold)
  const warming = await server.watch()
  let report: HostileReport | undefined
  let together = 0
  const sampling = setInterval(() => {
    together = Math.max(together, server.memory() ?? 0)
  }, 250)
  const health = await healthDuring(server.url, async () => {
    report = await mix(minutes * 60_000)
  }).catch(orTold)
  clearInterval(sampling)
  const { heapUsed, rss, ownStallMs, ownCallMs, gcMs, longest } = await server.watch()
  for (const turn of longest) console.log(JSON.stringify(turn))
  const alone = server.peak() ?? rss
  const peak = Math.max(alone, together)
  server.kill('SIGTERM')
  if ((await server.ended) !== 0) throw new Error('the server did not end well')
  const { statuses, codes, messages, checked, busy } = report!
  const refused = [...busy.values()].reduce((sum, times) => sum + times, 0)
  const said = [
    `${minutes} minutes: HTTP ${counted(statuses)}`,
    `${messages} spoiled messages and requests`,
    `errors ${counted(codes)}`,
    `${checked} answers of others were right, and ${refused} asked to come again: ${counted(busy) || 'none'}`,
    health,
    `errors of budgets that were not seen: ${BUDGETS.filter((code) => !codes.has(code)).join(', ') || 'none'}`,
    `peak ${mb(peak)} with the process that evaluates and ${mb(alone)} without, at the end heap ${mb(heapUsed)} and resident ${mb(rss)}`,
    `longest turn of our own ${ownStallMs.toFixed(0)} ms, and ${ownCallMs.toFixed(0)} ms for one call (${warming.ownStallMs.toFixed(0)} and ${warming.ownCallMs.toFixed(0)} ms while parts were used for the first time), longest collection of garbage ${gcMs.toFixed(0)} ms by the clock`,
  ].join('; ')
  if (peak > MOST_MEMORY) throw new Error(`the server took ${mb(peak)}: ${said}`)
  if (checked < LEAST_ANSWERED * (checked + refused)) throw new Error(`others were not answered: ${said}`)
  return said
}

const counted = (counts: ReadonlyMap<string | number, number>): string =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([what, times]) => `${what} × ${times}`)
    .join(', ')

const mb = (bytes: number): string => `${(bytes / MB).toFixed(0)} MB`

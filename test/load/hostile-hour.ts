import { flightsConfig } from './flights.js'
import { healthDuring } from './health.js'
import { type HostileReport, hostileMix } from './hostile-mix.js'
import { startWatched } from './server.js'

const MB = 1024 * 1024
const MOST_MEMORY = 1024 * MB
const SETTINGS = {
  MAX_SESSIONS: '8',
  SESSION_RATE_LIMIT: '6',
  SESSION_MAX_MODEL_BYTES: String(8 * MB),
  ANSWER_MAX_ROWS: '5000',
  SQL_DEFAULT_LIMIT: '2000',
  COMPILE_MAX_STEPS: '5000',
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
  PGWIRE_AUTH_TIMEOUT_SECONDS: '2',
  PGWIRE_QUERY_TIMEOUT_SECONDS: '5',
  FLIGHT_ENABLED: 'true',
  FLIGHT_PORT: '0',
  FLIGHT_QUERY_TIMEOUT_SECONDS: '5',
}

/** The error of every budget over HTTP. */
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
]

/**
 * Everything hostile at once for so many minutes, against a server that may take 1 GB. Fails when the server ends, with a 500, when an answer
 * of a client that behaves changes, and when the process has taken more memory than that.
 */
export async function hostileHour(minutes: number, seed = 20261122): Promise<string> {
  const server = await startWatched({ ...SETTINGS, NODE_OPTIONS: '--max-old-space-size=448' }, flightsConfig)
  const target = { url: server.url, wire: await server.wire(), flight: await server.flight() }
  // What starting and the first use of a part took is not counted.
  await hostileMix(target, { seed, clients: 1, slice: 10, over: () => true })
  await server.watch()
  const until = performance.now() + minutes * 60_000
  let report: HostileReport | undefined
  let together = 0
  const sampling = setInterval(() => {
    together = Math.max(together, server.memory() ?? 0)
  }, 100)
  const health = await healthDuring(server.url, async () => {
    report = await hostileMix(target, {
      seed,
      clients: 6,
      slice: 500,
      attackFrom: ['127.0.0.2', '127.0.0.3'],
      over: () => performance.now() > until,
    })
  })
  clearInterval(sampling)
  const { heapUsed, rss, ownStallMs } = await server.watch()
  const alone = server.peak() ?? rss
  const peak = Math.max(alone, together)
  server.kill('SIGTERM')
  if ((await server.ended) !== 0) throw new Error('the server did not end well')
  if (peak > MOST_MEMORY) throw new Error(`the server took ${mb(peak)}`)
  const { statuses, codes, messages, checked, busy } = report!
  return [
    `${minutes} minutes: HTTP ${counted(statuses)}`,
    `${messages} spoiled messages and requests`,
    `errors ${counted(codes)}`,
    `${checked} answers of others were right, and ${busy} asked to come again`,
    health,
    `errors of budgets that were not seen: ${BUDGETS.filter((code) => !codes.has(code)).join(', ') || 'none'}`,
    `peak ${mb(peak)} with the process that evaluates and ${mb(alone)} without, at the end heap ${mb(heapUsed)} and resident ${mb(rss)}`,
    `longest turn of our own ${ownStallMs.toFixed(0)} ms`,
  ].join('; ')
}

const counted = (counts: ReadonlyMap<string | number, number>): string =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([what, times]) => `${what} × ${times}`)
    .join(', ')

const mb = (bytes: number): string => `${(bytes / MB).toFixed(0)} MB`

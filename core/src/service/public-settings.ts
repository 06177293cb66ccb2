import type { Settings } from '../settings/core-variables.js'

/** True if queries may run: `QUERY_EXECUTE`, or Flight, which is useless without. */
export function executionEnabled(settings: Settings): boolean {
  return settings.QUERY_EXECUTE || settings.FLIGHT_ENABLED
}

/** Settings that limit or affect the work of a client, under lower-case names. All others are private, in particular secrets and paths. */
export function publicSettings(settings: Settings): Readonly<Record<string, unknown>> {
  const shown = PUBLIC.filter((name) => settings[name] !== undefined).map((name) => [name.toLowerCase(), settings[name]])
  return {
    ...Object.fromEntries(shown),
    ...grouped(settings),
    execution_enabled: executionEnabled(settings),
    curated: settings.MODEL_FILES.length > 0,
  }
}

/** The same in groups, as clients of other implementations expect it. */
function grouped(settings: Settings): Readonly<Record<string, unknown>> {
  return {
    single_model_mode: settings.MODEL_FILES.length > 0,
    flight: { enabled: settings.FLIGHT_ENABLED, port: settings.FLIGHT_PORT },
    cache: { backend: settings.CACHE_BACKEND },
    oneshot_batch: {
      max_queries: settings.ONESHOT_BATCH_MAX_QUERIES,
      max_parallelism: settings.ONESHOT_BATCH_MAX_PARALLELISM,
      default_timeout_ms: settings.ONESHOT_BATCH_DEFAULT_TIMEOUT_MS,
      batch_timeout_ms: settings.ONESHOT_BATCH_BATCH_TIMEOUT_MS,
    },
  }
}

const PUBLIC = [
  'AUTH_MODE',
  'API_KEY_HEADER',
  'SESSION_TTL_SECONDS',
  'SESSION_MAX_AGE_SECONDS',
  'MAX_SESSIONS',
  'MAX_MODELS_PER_SESSION',
  'SESSION_RATE_LIMIT',
  'DISABLE_SESSION_LIST',
  'QUERY_EXECUTE',
  'QUERY_DEFAULT_LIMIT',
  'CLIENT_MAX_STATEMENTS',
  'ANSWER_MAX_ROWS',
  'ANSWER_MAX_BYTES',
  'QUERY_MAX_PARTS',
  'QUERY_MAX_VALUES',
  'COMPILE_MAX_STEPS',
  'SESSION_MAX_MODEL_BYTES',
  'SQL_DEFAULT_LIMIT',
  'REST_QUERY_TIMEOUT_SECONDS',
  'MODEL_SQL',
  'MODEL_SCHEMAS',
  'MODEL_FUNCTIONS',
  'SEMANTIC_QL_STRICT',
  'DB_VENDOR',
  'DEFAULT_LOCALE',
  'FLIGHT_ENABLED',
  'FLIGHT_PORT',
  'PGWIRE_ENABLED',
  'PGWIRE_PORT',
  'ONESHOT_BATCH_MAX_QUERIES',
  'ONESHOT_BATCH_MAX_PARALLELISM',
  'ONESHOT_BATCH_DEFAULT_TIMEOUT_MS',
  'ONESHOT_BATCH_BATCH_TIMEOUT_MS',
  'CACHE_BACKEND',
  'EXPOSE_API_DOCS',
  'EXPOSE_OPENAPI_SCHEMA',
] as const satisfies readonly (keyof Settings)[]

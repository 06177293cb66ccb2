import type { Settings } from '../settings.js'

/** True when queries may run: `QUERY_EXECUTE`, or Flight, which is useless without. */
export function executionEnabled(settings: Settings): boolean {
  return settings.QUERY_EXECUTE || settings.FLIGHT_ENABLED
}

/** What bounds or shapes a client's work, under lower-case names; everything else stays unsaid, secrets and paths above all. */
export function publicSettings(settings: Settings): Readonly<Record<string, unknown>> {
  const shown = PUBLIC.filter((name) => settings[name] !== undefined).map((name) => [name.toLowerCase(), settings[name]])
  return { ...Object.fromEntries(shown), execution_enabled: executionEnabled(settings), curated: settings.MODEL_FILES.length > 0 }
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
  'SQL_DEFAULT_LIMIT',
  'REST_QUERY_TIMEOUT_SECONDS',
  'MODEL_SQL',
  'MODEL_SCHEMAS',
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

/** The table of the interface specification: every variable, its default, its rule and what it does. */
import { flag, integer, list, oneOf, optionalInteger, optionalText, origins, text, type ValuesOf } from './variable.js'

const port = { least: 0, most: 65535 } as const
const bytes = { least: 0 } as const
const atLeastOne = { least: 1 } as const
const pem = (what: string) => optionalText({ means: `PEM file with ${what}.` })

const url = {
  rule: 'an http or https URL',
  fits: (given: string) => URL.canParse(given) && /^https?:$/.test(new URL(given).protocol),
}
const urlPath = { rule: "a path that begins with '/'", fits: (given: string) => given.startsWith('/') }
const locale = { rule: "a BCP 47 tag such as 'de-CH'", fits: isLocale }

const server = {
  API_SERVER_HOST: text({ default: 'localhost', means: 'Address that the REST server binds.' }),
  API_SERVER_PORT: integer({ ...port, default: 8000, means: 'Port of the REST server.' }),
  PORT: optionalInteger({ ...port, means: 'Port of the REST server; overrides API_SERVER_PORT.' }),
  API_TLS_CERT: pem('the certificate of the REST server'),
  API_TLS_KEY: pem('the private key of the REST server'),
  API_TLS_CLIENT_CA: pem('the authorities that must have issued client certificates'),
  API_BASE_URL: optionalText({ ...url, means: 'Address of the API, for a user interface that runs elsewhere.' }),
  ROOT_PATH: text({ ...urlPath, default: '', means: 'Path prefix of the user interface, if a load balancer adds one.' }),
  TRUSTED_PROXY_COUNT: integer({ default: 0, most: 100, means: 'Number of reverse proxies whose X-Forwarded-For is trusted.' }),
  ALLOWED_HOSTS: list({
    means:
      'Host names, separated by commas, that requests to the HTTP server may use in addition to the names of its machine; `*.example.com` means every subdomain. Checked if this is set, or if the server binds a loopback address and the request did not come through the proxies that TRUSTED_PROXY_COUNT counts; never for probes such as /health.',
  }),
  ALLOWED_ORIGINS: origins({
    means:
      'Origins, separated by commas, whose pages may send requests from a browser. Pages of the server itself are always allowed.',
  }),
  HTTP_CLIENT_MAX_INCOMPLETE: integer({
    ...atLeastOne,
    default: 100,
    means:
      'Maximum number of HTTP connections of one address whose request has not arrived completely. Behind a proxy all clients have its address.',
  }),
  EXPOSE_API_DOCS: flag({ default: true, means: 'Serves /docs and /redoc.' }),
  EXPOSE_OPENAPI_SCHEMA: flag({ default: true, means: 'Serves the OpenAPI document, at /openapi.json and in /docs and /redoc.' }),
  LOG_LEVEL: oneOf(['TRACE', 'DEBUG', 'INFO', 'WARNING', 'WARN', 'ERROR', 'CRITICAL', 'FATAL'], {
    default: 'INFO',
    means: 'Lowest severity that is logged.',
  }),
  LOG_FORMAT: oneOf(['console', 'json', 'cloudrun'], {
    default: 'console',
    means: 'Format of log lines; cloudrun is JSON without access lines.',
  }),
  UI_ENABLED: flag({ default: true, means: 'Serves the web page at /ui if its plugin is loaded.' }),
  MCP_ENABLED: flag({ default: false, means: 'Serves the Model Context Protocol at /v1/mcp, for agents.' }),
  ODATA_ENABLED: flag({ default: false, means: 'Serves models as OData v4 feeds at /odata, for Excel and Power BI.' }),
  METRICS_ENABLED: flag({ default: false, means: 'Serves /v1/telemetry/metrics for Prometheus.' }),
  TRACES_ENABLED: flag({ default: false, means: 'Sends traces of requests and queries to an OpenTelemetry collector.' }),
  AUDIT_FILE: optionalText({
    means: 'File that receives one line of JSON per query: the user, the query, the number of rows, the duration.',
  }),
} as const

const authentication = {
  AUTH_MODE: text({
    default: 'none',
    means:
      'How clients authenticate: none (no key is needed), api_key, jwt (tokens, with @grainline/auth-jwt), or the name of an authenticator that a plugin registers.',
  }),
  AUTH_ENABLED: flag({ default: false, means: 'Deprecated: true means AUTH_MODE=api_key if AUTH_MODE is none.' }),
  API_KEYS: list({ secret: true, means: 'Valid keys, separated by commas.' }),
  ADMIN_API_KEYS: list({
    secret: true,
    means:
      'Keys, separated by commas, that may also clear the cache, verify models and reload. If the list is empty, every key has these rights. With AUTH_MODE=none only clients on this machine have them.',
  }),
  API_KEYS_FILE: optionalText({
    means:
      'File of named keys: a list in YAML of name, key or keySha256, roles, attributes and models. It is read again on SIGHUP.',
  }),
  API_KEY_HEADER: text({ default: 'X-API-Key', means: 'Header that carries the key.' }),
  HEARTBEAT_AUTH_TOKEN: optionalText({ secret: true, means: 'Token of POST /v1/heartbeat. Unset: the route answers 404.' }),
  SVC_API_KEY: optionalText({ secret: true, means: 'Key that the user interface uses.' }),
} as const

const sessions = {
  SESSION_TTL_SECONDS: integer({ ...atLeastOne, default: 1800, means: 'Seconds without access after which a session expires.' }),
  SESSION_MAX_AGE_SECONDS: integer({ ...atLeastOne, default: 86400, means: 'Maximum age of a session, in seconds.' }),
  SESSION_CLEANUP_INTERVAL: integer({
    ...atLeastOne,
    most: 2_147_483,
    default: 60,
    means: 'Seconds between sweeps of expired sessions.',
  }),
  MAX_SESSIONS: integer({ ...atLeastOne, default: 500, means: 'Maximum number of open sessions.' }),
  MAX_MODELS_PER_SESSION: integer({ ...atLeastOne, default: 10, means: 'Maximum number of models in one session.' }),
  SESSION_MAX_MODEL_BYTES: integer({
    ...atLeastOne,
    default: 134_217_728,
    means: 'Memory that the models of one session may take, estimated in bytes.',
  }),
  MODELS_MAX_BYTES: optionalInteger({
    ...atLeastOne,
    means: 'Memory that the models of all sessions may take, estimated in bytes. Unset: a third of the heap.',
  }),
  MODEL_MAX_ENTRIES: integer({
    ...atLeastOne,
    default: 10_000,
    means:
      'Maximum number of entries of one list or mapping in a model, such as the columns of one table. Sections have no such limit.',
  }),
  SESSION_RATE_LIMIT: integer({ ...atLeastOne, default: 10, means: 'Sessions that one address may open in a minute.' }),
  DISABLE_SESSION_LIST: flag({ default: false, means: 'Hides the list of sessions.' }),
  MODEL_FILES: list({
    means:
      'Model files served in protected sessions (curated mode), separated by commas. FORMAT:PATH is a file or folder in the format of an importer.',
  }),
  MODEL_DIR: optionalText({ means: 'Folder of relative paths in MODEL_FILES.' }),
  MODEL_SQL: oneOf(['deny', 'allow'], {
    default: 'deny',
    means:
      'Whether models from clients may contain SQL: a SELECT that calls only allowed functions, and such functions in expressions. Model files are not affected.',
  }),
  MODEL_FUNCTIONS: list({
    means: 'Functions, separated by commas, that SQL from clients may call in addition to those that are allowed on all engines.',
  }),
  MODEL_SCHEMAS: list({
    means:
      'Schemas that models from clients may read, written as in the model (schema or database.schema). If the list is empty: all but those of the system.',
  }),
} as const

const queries = {
  QUERY_EXECUTE: flag({ default: false, means: 'Runs queries against the database.' }),
  QUERY_DEFAULT_LIMIT: integer({ ...atLeastOne, default: 1000, means: 'Maximum number of rows of a query without a limit.' }),
  SQL_DEFAULT_LIMIT: optionalInteger({
    ...atLeastOne,
    means:
      'Maximum number of rows of a statement without a limit on the Postgres wire and Flight SQL; a longer answer is an error and never truncated. Unset: QUERY_DEFAULT_LIMIT if that is set, else no limit.',
  }),
  REST_QUERY_TIMEOUT_SECONDS: integer({
    ...atLeastOne,
    most: 2_147_483,
    default: 60,
    means: 'Seconds of database work for one query over REST.',
  }),
  SEMANTIC_QL_STRICT: flag({ default: false, means: 'Answers only statements that are one query of one model.' }),
  DB_VENDOR: text({ default: 'duckdb', means: 'Database that runs queries; its dialect is the default dialect.' }),
  DB_POOL_SIZE: integer({ ...atLeastOne, most: 1000, default: 5, means: 'Connections per database.' }),
  READY_DATABASE_SECONDS: integer({
    default: 60,
    most: 86_400,
    means:
      'Seconds for which GET /ready believes that a database is reachable, until a statement fails. 0: until then, so that a warehouse that sleeps is not asked again.',
  }),
  DEFAULT_LOCALE: text({ ...locale, default: '', means: 'Locale of formatted values (BCP 47).' }),
  ONESHOT_BATCH_MAX_QUERIES: integer({ ...atLeastOne, default: 50, means: 'Maximum number of queries in one batch.' }),
  ONESHOT_BATCH_MAX_PARALLELISM: integer({
    ...atLeastOne,
    default: 8,
    means: 'Maximum number of queries of a batch that run in parallel.',
  }),
  ONESHOT_BATCH_DEFAULT_TIMEOUT_MS: integer({
    ...atLeastOne,
    most: 2_147_483_647,
    default: 30_000,
    means: 'Milliseconds for one query of a batch.',
  }),
  ONESHOT_BATCH_BATCH_TIMEOUT_MS: integer({
    ...atLeastOne,
    most: 2_147_483_647,
    default: 120_000,
    means: 'Milliseconds for a whole batch.',
  }),
  CLIENT_MAX_STATEMENTS: optionalInteger({
    ...atLeastOne,
    means:
      'Maximum number of statements that one client (a key, else an address) runs in a database at the same time; its other statements wait. Unset: DB_POOL_SIZE, and one less while other clients have asked within five minutes.',
  }),
  ANSWER_MAX_ROWS: optionalInteger({
    ...atLeastOne,
    means: 'Maximum number of rows of one answer, on every surface; a longer answer is refused.',
  }),
  ANSWER_MAX_BYTES: optionalInteger({
    ...atLeastOne,
    means: 'Maximum size of the values of one answer in bytes, on every surface; a larger answer is refused.',
  }),
  QUERY_MAX_PARTS: integer({
    ...atLeastOne,
    default: 500,
    means: 'Maximum number of fields, filters and order keys in one query.',
  }),
  QUERY_MAX_VALUES: integer({ ...atLeastOne, default: 10_000, means: 'Maximum number of values in the filters of one query.' }),
  COMPILE_MAX_STEPS: integer({
    ...atLeastOne,
    default: 50_000,
    means:
      'Maximum number of steps to compile one query. A step takes about a microsecond, in which the process answers no other request.',
  }),
  COMPILE_UNKNOWN_TYPES: oneOf(['declared', 'cast'], {
    default: 'declared',
    means:
      'How columns are read if neither a connection nor a file says how the database stores them: declared believes the model; cast casts each of them to its declared type.',
  }),
  COMPILE_CACHE_MAX_ENTRIES: integer({
    default: 2048,
    means: 'Maximum number of compiled queries kept in memory; 0 keeps none.',
  }),
  COMPILE_CACHE_MAX_BYTES: integer({
    ...bytes,
    default: 67_108_864,
    means: 'Memory of the compiled queries, estimated in bytes.',
  }),
  COMPILE_CACHE_MAX_ENTRY_BYTES: integer({ ...bytes, default: 1_048_576, means: 'Larger compiled queries are not kept.' }),
} as const

const cache = {
  CACHE_BACKEND: text({
    default: 'noop',
    means: 'Where results are cached: noop (nowhere), or a cache that a plugin registers.',
  }),
  CACHE_KEY: optionalText({
    rule: 'a text of at least 16 characters',
    fits: (given) => given.length >= 16,
    secret: true,
    means:
      'Secret that signs cached results; the same in every process that shares a cache. Unset: the file cache makes one in its folder. A cache that others can write needs this setting.',
  }),
  CACHE_DIR: text({ default: './cache', means: 'Folder of the file cache.' }),
  CACHE_MAX_TTL_SECONDS: integer({ default: 86_400, means: 'Longest time that a result is kept.' }),
  CACHE_MIN_TTL_SECONDS: integer({ default: 5, means: 'Shortest time that a result is kept.' }),
  CACHE_MAX_VALUE_BYTES: integer({ ...bytes, default: 10_485_760, means: 'Larger results are not kept.' }),
  CACHE_MAX_DISK_BYTES: integer({ ...bytes, default: 5_368_709_120, means: 'Disk space of the cache.' }),
  CACHE_SWEEP_INTERVAL_SECONDS: integer({ ...atLeastOne, default: 86_400, means: 'Seconds between sweeps of the cache.' }),
  CACHE_UNKNOWN_FRESHNESS_POLICY: oneOf(['no_cache', 'default_ttl'], {
    default: 'no_cache',
    means: 'What happens to results of tables without a refresh contract.',
  }),
  CACHE_UNKNOWN_FRESHNESS_DEFAULT_TTL: integer({ default: 300, means: 'Seconds that such results are kept under default_ttl.' }),
} as const

const rollups = {
  ROLLUPS: oneOf(['never', 'allow', 'require'], {
    default: 'never',
    means:
      'Whether queries may be answered from rollup tables: never (no registry is read), allow, or require (a query that reads facts is refused). Except under never, a query may say otherwise with its key rollups.',
  }),
  ROLLUPS_REFRESH_SECONDS: integer({
    ...atLeastOne,
    most: 86_400,
    default: 10,
    means: 'Seconds after which the list of the builds of rollup tables is read again.',
  }),
} as const

const flight = {
  FLIGHT_ENABLED: flag({ default: false, means: 'Starts the Arrow Flight SQL surface; turns execution on.' }),
  FLIGHT_PORT: integer({ ...port, default: 8815, means: 'Port of the Flight surface.' }),
  FLIGHT_QUERY_TIMEOUT_SECONDS: integer({
    ...atLeastOne,
    most: 2_147_483,
    default: 60,
    means: 'Seconds of database work for one query over Flight SQL.',
  }),
  FLIGHT_TLS_CERT: pem('the certificate of the Flight surface'),
  FLIGHT_TLS_KEY: pem('the private key of the Flight surface'),
  FLIGHT_TLS_CLIENT_CA: pem('the authorities that must have issued client certificates'),
  FLIGHT_AUTH_MODE: oneOf(['none', 'token'], { default: 'none', means: 'Deprecated: token requires FLIGHT_API_TOKEN.' }),
  FLIGHT_API_TOKEN: optionalText({ secret: true, means: 'Deprecated: the token of FLIGHT_AUTH_MODE=token.' }),
} as const

const pgwire = {
  PGWIRE_ENABLED: flag({ default: false, means: 'Starts the Postgres wire surface.' }),
  PGWIRE_HOST: text({ default: '0.0.0.0', means: 'Address that the Postgres wire surface binds.' }),
  PGWIRE_PORT: integer({ ...port, default: 5432, means: 'Port of the Postgres wire surface.' }),
  PGWIRE_MAX_CONNECTIONS: integer({ ...atLeastOne, default: 64, means: 'Maximum number of connections.' }),
  PGWIRE_CLIENT_MAX_CONNECTIONS: optionalInteger({
    ...atLeastOne,
    means:
      'Maximum number of connections of one client (a key, else an address). Unset: three quarters of PGWIRE_MAX_CONNECTIONS, rounded up; all of them while no other client has connected within five minutes.',
  }),
  PGWIRE_QUERY_TIMEOUT_SECONDS: integer({ ...atLeastOne, most: 2_147_483, default: 60, means: 'Seconds for one query.' }),
  PGWIRE_AUTH_TIMEOUT_SECONDS: integer({
    ...atLeastOne,
    most: 2_147_483,
    default: 10,
    means: 'Seconds for the handshake before authentication.',
  }),
  PGWIRE_AUTH_MODE: oneOf(['trust', 'password', 'scram-sha-256'], { default: 'trust', means: 'How a password is exchanged.' }),
  PGWIRE_TLS_CERT: pem('the certificate of the Postgres wire surface'),
  PGWIRE_TLS_KEY: pem('the private key of the Postgres wire surface'),
  PGWIRE_TLS_CLIENT_CA: pem('the authorities that must have issued client certificates'),
} as const

/** The table in groups, for its reader. */
export const variableGroups = {
  'The server': server,
  Authentication: authentication,
  'Sessions and models': sessions,
  Queries: queries,
  'The result cache': cache,
  'Arrow Flight SQL': flight,
  'Postgres wire': pgwire,
} as const

export const coreVariables = Object.freeze({
  ...server,
  ...authentication,
  ...sessions,
  ...queries,
  ...cache,
  ...rollups,
  ...flight,
  ...pgwire,
})

/** The settings of core, checked and with their defaults. */
export type Settings = ValuesOf<typeof coreVariables>

function isLocale(given: string): boolean {
  try {
    return Intl.getCanonicalLocales(given).length === 1
  } catch {
    return false
  }
}

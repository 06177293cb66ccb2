/**
 * The interface specification, one sentence per row. A test states which rows it checks with `holds(t, 'id')`; a row is either checked by a
 * test or `due`, with the reason. `docs/reference/specification.md` is made from both.
 */
import { coreVariables } from '@grainline/core/unstable'

const routes = {
  'route.health': 'GET /health needs no key and answers status, version and auth_mode',
  'route.ready': 'GET /ready needs no key and answers 503 until the models are loaded, and while a database does not answer',
  'route.sessions.post': 'POST /v1/sessions answers 201 with a Session; its body, or no body, may carry metadata',
  'route.sessions.list': 'GET /v1/sessions answers {sessions}, and 403 with DISABLE_SESSION_LIST',
  'route.sessions.get': 'GET /v1/sessions/{session_id} answers the Session and refreshes its access; 404 when it is not there',
  'route.sessions.delete': 'DELETE /v1/sessions/{session_id} answers 204 and nothing else; 404 when it is not there',
  'route.models.post':
    'POST …/models answers 201 with a ModelLoadResponse; 422 with every fault of the model; 404 without the session',
  'route.models.list': 'GET …/models answers an array of summaries',
  'route.models.get': 'GET …/models/{model_id} answers a ModelDescription; 404 without model or session',
  'route.models.delete': 'DELETE …/models/{model_id} answers 204; 404 without model or session',
  'route.models.source': 'GET …/models/{model_id}/source answers the document as it was sent',
  'route.session-validate': 'POST …/validate checks a model in a session and keeps nothing',
  'route.validate': 'POST /v1/validate checks a model without a session; an invalid one is 200 with valid: false',
  'route.query-sql': 'POST …/query/sql answers 200 with a CompileResponse',
  'route.query-sql.shortcut': 'POST /v1/query/sql does so for the only model there is, also for a bare QueryObject',
  'route.semantic-ql': 'POST …/query/semantic-ql answers a statement, also of a named session; …/compile shows its SQL and query',
  'route.query-plan': 'POST …/query/plan says how a query would be answered and never runs it',
  'route.query-rows': 'POST …/query/rows gives the rows behind a cell of an answer, and what they come to',
  'route.query-execute': 'POST …/query/execute answers rows when QUERY_EXECUTE is true, and 404 EXECUTION_DISABLED otherwise',
  'route.batch': 'POST /v1/oneshot/batch answers 200 with one result per query, in their order: ok, error or cancelled',
  'route.batch.model': 'A model that comes with a batch is gone afterwards, unless persist_model; in curated mode it is 403',
  'route.batch.refused': 'A batch without queries, with two of one id or with a model that does not load is refused as a whole',
  'route.batch.session': 'A session opened for a batch counts in MAX_SESSIONS and SESSION_RATE_LIMIT',
  'route.batch.execute': 'Without QUERY_EXECUTE a query of a batch that is to run is an error by itself',
  'route.batch.dedup': 'Queries of a batch that are alike are asked once, unless dedup is false',
  'route.batch.fail-fast': 'With fail_fast the first failure of a batch cancels the rest',
  'route.batch.gone': 'A client that goes away cancels its batch in the database',
  'route.formats': 'Rows come as json, ndjson, csv, tsv, arrow or parquet, by format or Accept; 406 for anything else',
  'route.compression': 'Answers are compressed as Accept-Encoding allows: br, gzip, and zstd where Node has it',
  'route.backpressure': 'Rows are read as fast as the client takes them, and no more once it is gone',
  'route.format-values':
    'format_values adds display strings in the locale that is asked for, else DEFAULT_LOCALE, else that of the model, else en-style',
  'route.heartbeat': 'POST /v1/heartbeat takes HEARTBEAT_AUTH_TOKEN and nothing else, and is 404 while that is unset',
  'route.cache': 'GET /v1/cache/stats, POST /v1/cache/sweep and clear say what is kept and what went',
  'route.dialects': 'GET /v1/dialects lists every dialect with its capabilities',
  'route.models.published': 'GET /v1/models lists the curated models',
  'route.settings': 'GET /v1/settings shows the effective public settings and never a secret',
  'route.reference': 'GET /v1/reference/… serves the languages themselves, as pages and as JSON Schemas',
  'route.schema': 'GET …/schema answers the whole model, with a key',
  'route.fields': 'GET …/dimensions, measures and metrics list the fields and describe one by name',
  'route.explain': 'GET …/explain/{name} answers what a field is made of',
  'route.find': 'POST …/find answers the fields that a text may mean',
  'route.join-graph': 'GET …/join-graph answers nodes and edges',
  'route.diagram': 'GET …/diagram/er answers the text of a Mermaid diagram',
  'route.examples': 'GET …/examples lists the example questions and shows one with its SQL',
  'route.composables': 'GET and POST …/composables answer what can still be added to a question',
  'route.values': 'GET …/values/{dimension} answers distinct values with their counts',
  'route.verify': 'POST …/verify proves a model against its data, and the model description shows the last proof',
  'route.robots': 'GET /robots.txt needs no key',
  'route.docs': 'GET /docs and /redoc need no key and no other host; EXPOSE_API_DOCS=false switches both off',
  'route.openapi': 'GET /openapi.json needs no key; EXPOSE_OPENAPI_SCHEMA=false switches it off, and the docs pages stay',
  'route.openapi.truth': 'Answers have the shape that /openapi.json gives them',
  'route.metrics': 'GET /v1/telemetry/metrics answers Prometheus text when METRICS_ENABLED, with a key as everywhere',
} as const

const fields = {
  'field.session': 'A Session has session_id, created_at, last_accessed_at, model_count, metadata, expires_at and max_expires_at',
  'field.model-load': 'A ModelLoadResponse has model_id, counts, warnings, model_load and, when fresh, health',
  'field.model-load.dedup': 'dedup defaults to true; false loads fresh',
  'field.model-load.json': 'model_json may be an object or a string of JSON; exactly one of it and model_yaml is given',
  'field.model-load.extends': 'extends merges fragments; inherits names a model of the session',
  'field.model-load.length': 'model_yaml holds at most 5,000,000 characters',
  'field.model-summary': 'A model summary has model_id and four counts',
  'field.model-description':
    'A ModelDescription has data_objects with label, code, columns and join_targets, dimensions, measures, metrics and health',
  'field.compile': 'A CompileResponse has sql, dialect, resolved, warnings, sql_valid, explain and physical_tables',
  'field.dialect.order': 'The dialect is the explicit one, else settings.defaultDialect, else that of DB_VENDOR, else postgres',
  'field.dialect.capabilities': 'A dialect names its seven capabilities as booleans',
  'field.error-detail': 'An ErrorDetail has code, message and path, as UNKNOWN_DATA_OBJECT at dimensions.<name>.dataObject',
  'field.case': 'Requests accept snake_case and camelCase for every field; names and metadata are never folded',
  'field.unknown': 'An unknown key is refused and named with the nearest valid one',
} as const

const states = {
  'state.idle': 'An access by id moves expires_at and last_accessed_at and leaves max_expires_at; a list moves nothing',
  'state.idle-expired': 'A session without access for SESSION_TTL_SECONDS is 404 at once',
  'state.age-expired': 'A session older than SESSION_MAX_AGE_SECONDS is 404 whatever was accessed',
  'state.swept': 'Expired sessions are removed every SESSION_CLEANUP_INTERVAL seconds',
  'state.reused': 'An identical model answers model_load reused with the same model_id',
  'state.model-count': 'model_count rises with a fresh model and falls with a deletion',
  'state.protected':
    'A protected session never expires, does not count, has both deadlines at 9999-12-31T23:59:59Z and cannot be deleted',
  'state.unguessable': 'Ids of sessions and models cannot be guessed',
} as const

const curated = {
  'curated.names': 'A session is named after the model, else after its file, as an identifier',
  'curated.refuses': 'POST models and DELETE model are 403 in every session while MODEL_FILES is set',
  'curated.named-routes': 'A curated model is reached by its session route, by ?model= and as the only model',
  'curated.reload': 'SIGHUP reads model files again in one step; a bad file keeps the model that is there and says so',
} as const

const auth = {
  'auth.none': 'AUTH_MODE=none lets everybody in',
  'auth.every-route': 'Under api_key every route but the open ones answers 401 with WWW-Authenticate, unknown ones included',
  'auth.header': 'The key comes in the header that API_KEY_HEADER names, or as a bearer token',
  'auth.many': 'Several keys are valid at once, compared in constant time',
  'auth.alias': 'AUTH_ENABLED acts only where AUTH_MODE is none, and warns',
  'auth.weak': 'Keys of 16 to 31 characters start with a warning',
  'auth.secret': 'No key, wrong or right, is in a log line, an error, a trace or a metric',
} as const

const tls = {
  'tls.rest': 'REST speaks TLS with API_TLS_CERT and API_TLS_KEY',
  'tls.mutual': 'API_TLS_CLIENT_CA turns away clients without a certificate of it',
  'duckdb.replaced':
    'A DuckDB file that is replaced, changed or deleted while it is served makes the server not ready, with a warning; SIGHUP opens it again',
  'duckdb.attached': 'So is a DuckDB file that `init` attaches; the log warns of one that is attached for writing',
  'tls.reload': 'SIGHUP reads certificates again without a restart; an unusable one leaves the old',
  'tls.line': 'The start-up line of a surface says whether TLS is on',
  'tls.client': 'The command line presents a certificate with --client-cert and --client-key',
} as const

const errors = {
  'status.400.dialect': '400 UNSUPPORTED_DIALECT lists the dialects there are',
  'status.400.json': '400 for a body that is no JSON',
  'status.401': '401 AUTH_REQUIRED without a key, AUTH_INVALID with a wrong one',
  'status.403': '403 for a change of curated models, of protected sessions, and for a list that is disabled',
  'status.404': '404 for sessions, models and routes that are not there',
  'status.405': '405 with Allow for a path under another method',
  'status.406': '406 for a format that is not offered',
  'status.409': '409 where a shortcut could mean several models or sessions, listing them',
  'status.413': '413 for a body over 1 MiB, over 32 MiB where it carries a model',
  'status.415': '415 for a body that is not application/json',
  'status.422.model': '422 with every error of the model',
  'status.422.query': '422 for a query that cannot be resolved, with suggestions',
  'status.429.sessions': '429 with Retry-After at MAX_SESSIONS',
  'status.429.rate': '429 with Retry-After beyond SESSION_RATE_LIMIT of one address, as TRUSTED_PROXY_COUNT proxies saw it',
  'status.429.models': '429 beyond MAX_MODELS_PER_SESSION',
  'status.500': '500 tells the request id and nothing of what happened',
  'status.502': '502 with the message of the database',
  'status.503': '503 with Retry-After when the pool is exhausted',
  'status.504': '504 when a query ran out of time and was cancelled',
  'error.problem': 'Every refusal is application/problem+json with type, title, status, detail, code and request_id',
  'error.request-id': 'Every response carries x-request-id',
  'error.timing': 'Query responses carry server-timing',
  'error.etag': 'Discovery carries ETag and answers 304 to If-None-Match',
  'error.deprecation': 'A deprecated route says so with Deprecation and Sunset headers',
  'error.disconnect': 'A client that goes away cancels its query in the database',
  'error.plugin': 'A plugin that fails is a problem like any other',
  'error.stray':
    'A failure that a plugin leaves unhandled is logged with its name; after an exception the server closes in order, with exit code 1',
} as const

const operation = {
  'log.format': 'LOG_FORMAT is console, json or cloudrun, which writes no access lines',
  'log.request': 'A request is one line, without its query string',
  'log.audit': 'AUDIT_FILE takes one line per question: who, what, rows, time',
  'trace.stages': 'A question is traced through compile, cache, database and encode, under the trace of its caller',
  'operation.strangers': 'A client learns nothing of the others from any route where sessions are not listed',
  'operation.turns':
    'No body, list, expression or chain of metrics holds the event loop for more than 50 ms; QUERY_MAX_PARTS, QUERY_MAX_VALUES and COMPILE_MAX_STEPS name themselves',
  'stop.drain': 'SIGTERM lets requests at work finish, and cuts those that do not within the deadline',
  'workers.sessions': 'With serve --workers N any worker answers for any session, and the list of sessions is whole',
  'workers.global': 'MAX_SESSIONS and SESSION_RATE_LIMIT hold for all workers together',
  'workers.wires':
    'With workers a session is a database on every connection; PGWIRE_MAX_CONNECTIONS holds for all, and a cancellation reaches its statement',
  'workers.restart': 'A worker that ends is replaced; its sessions are 404 and say why, and what it held does not count',
  'workers.stop': 'SIGTERM ends all workers and frees the ports',
  'settings.order':
    'The environment beats .env, .env beats the config, the config beats the default; unknown entries are ignored',
  'settings.all': 'All refused values are reported together, each by its name',
} as const

const caches = {
  'cache.compile':
    'Compiled queries are kept for every surface, within COMPILE_CACHE_MAX_ENTRIES, COMPILE_CACHE_MAX_BYTES and COMPILE_CACHE_MAX_ENTRY_BYTES; 0 keeps none',
  'cache.noop': 'CACHE_BACKEND=noop keeps no result',
  'cache.ttl': 'A result is kept as long as its tables allow, within CACHE_MIN_TTL_SECONDS and CACHE_MAX_TTL_SECONDS',
  'cache.anchor': 'An interval is counted from its anchor in its time zone, also where the clocks change',
  'cache.one-table': 'Objects on one table share the contract that one of them declares, and none may declare another',
  'cache.shared': 'Answers are found by content: after a restart, and by another process that shares the store',
  'cache.single-flight': 'Many who ask for the same at once are answered by one statement',
  'cache.hit':
    'A kept answer is the same in every format, and says cached, cached_at, ttl_seconds, ttl_source and ttl_limiting_table',
  'cache.damaged': 'A damaged, cut, foreign or renamed entry is a miss',
  'cache.deleted': 'If CACHE_DIR is deleted while the process runs, answers are cached again',
  'cache.key': 'Answers are signed with CACHE_KEY; what somebody else wrote is a miss',
  'cache.failing': 'A store that is full, unreadable, stopped or silent costs queries and changes no answer',
  'cache.killed': 'A process that is killed while it writes leaves whole entries or none',
  'cache.unknown': 'Tables without a contract follow CACHE_UNKNOWN_FRESHNESS_POLICY and CACHE_UNKNOWN_FRESHNESS_DEFAULT_TTL',
  'cache.heartbeat': 'A heartbeat forgets what was read from its table',
  'cache.value-bytes': 'A result larger than CACHE_MAX_VALUE_BYTES is not kept',
  'cache.disk-bytes': 'CACHE_DIR never holds more than CACHE_MAX_DISK_BYTES',
  'cache.sweep': 'A sweep removes what is over, every CACHE_SWEEP_INTERVAL_SECONDS',
  'cache.size': 'GET /v1/cache/stats says how much the backend may hold',
} as const

const pgwire = {
  'pgwire.tls':
    'With PGWIRE_TLS_CERT and _KEY an SSLRequest is answered S and the socket upgraded; PGWIRE_TLS_CLIENT_CA asks for a certificate',
  'pgwire.no-tls': 'Without them an SSLRequest is answered N',
  'pgwire.trust': 'With AUTH_MODE=none everybody is let in',
  'pgwire.scram': 'With AUTH_MODE=api_key the key is the password, by SCRAM-SHA-256, and the user name is ignored',
  'pgwire.password': 'PGWIRE_AUTH_MODE=password exchanges it in clear text',
  'pgwire.database': 'The model is chosen by database=',
  'pgwire.simple': 'The simple-query protocol answers',
  'pgwire.auth-timeout': 'A handshake longer than PGWIRE_AUTH_TIMEOUT_SECONDS is cut off',
  'pgwire.query-timeout': 'A query longer than PGWIRE_QUERY_TIMEOUT_SECONDS is cancelled',
  'pgwire.max-connections': 'More than PGWIRE_MAX_CONNECTIONS are refused',
  'pgwire.client-connections': 'More of one client than PGWIRE_CLIENT_MAX_CONNECTIONS are refused',
  'pgwire.execution': 'A data query is refused by name while execution is off',
  'pgwire.secret': 'A key appears in no answer and no log line',
} as const

const refusals = {
  'refuse.value': 'a known variable with a value that breaks its rule',
  'refuse.api-keys-empty': 'AUTH_MODE=api_key with an empty API_KEYS',
  'refuse.auth-enabled-empty': 'AUTH_ENABLED=true with an empty API_KEYS',
  'refuse.api-key-short': 'a key of fewer than 16 characters, in any mode',
  'refuse.oidc': 'AUTH_MODE=oidc',
  'refuse.auth-mode': 'an AUTH_MODE that no plugin offers',
  'refuse.tls.api.key': 'API_TLS_CERT without API_TLS_KEY',
  'refuse.tls.api.cert': 'API_TLS_KEY without API_TLS_CERT',
  'refuse.tls.api.ca': 'API_TLS_CLIENT_CA without the pair',
  'refuse.tls.pgwire.key': 'PGWIRE_TLS_CERT without PGWIRE_TLS_KEY, also while the surface is off',
  'refuse.tls.pgwire.cert': 'PGWIRE_TLS_KEY without PGWIRE_TLS_CERT, also while the surface is off',
  'refuse.tls.pgwire.ca': 'PGWIRE_TLS_CLIENT_CA without the pair, also while the surface is off',
  'refuse.tls.flight.key': 'FLIGHT_TLS_CERT without FLIGHT_TLS_KEY, also while the surface is off',
  'refuse.tls.flight.cert': 'FLIGHT_TLS_KEY without FLIGHT_TLS_CERT, also while the surface is off',
  'refuse.tls.flight.ca': 'FLIGHT_TLS_CLIENT_CA without the pair, also while the surface is off',
  'refuse.tls.unreadable': 'a certificate, key or client CA that cannot be read or used',
  'refuse.models': 'MODEL_FILES of which one is invalid or missing, with the errors of all',
  'refuse.models.collision': 'two model files of one session name',
  'refuse.port': 'a port that is taken',
  'refuse.vendor': 'QUERY_EXECUTE with a DB_VENDOR that no plugin offers',
  'refuse.cache-backend': 'a CACHE_BACKEND that no plugin offers',
  'refuse.cache-range': 'CACHE_MIN_TTL_SECONDS above CACHE_MAX_TTL_SECONDS',
  'refuse.header': 'an API_KEY_HEADER that is no header name',
  'refuse.audit': 'an AUDIT_FILE that cannot be written',
  'refuse.workers': 'more workers than connections to the database, or workers that would write to a DuckDB file',
  'refuse.surface': 'a surface that is switched on and not installed, with the install command',
} as const

/** Behaviour of single settings that no row above describes. */
const settings = {
  'setting.PORT': 'PORT overrides API_SERVER_PORT',
  'setting.FLIGHT_ENABLED': 'FLIGHT_ENABLED turns execution on',
  'setting.ROLLUPS':
    'ROLLUPS says whether rollup tables are read: never, allow or require; their register is read again every ROLLUPS_REFRESH_SECONDS',
  'setting.PGWIRE_ENABLED': 'PGWIRE_ENABLED does not turn execution on, and warns',
  'flight.port':
    'Flight SQL listens on 0.0.0.0:FLIGHT_PORT (or FLIGHT_HOST), whatever API_SERVER_HOST says, and warns while it answers everybody',
  'flight.handshake': 'The password of a Flight handshake is the API key, and the user name plays no part',
  'flight.tls': 'FLIGHT_TLS_CERT and FLIGHT_TLS_KEY give grpc+tls, FLIGHT_TLS_CLIENT_CA asks for client certificates',
  'flight.timeout': 'A query over Flight SQL ends after FLIGHT_QUERY_TIMEOUT_SECONDS of database work',
  'setting.FLIGHT_AUTH_MODE':
    'FLIGHT_AUTH_MODE and FLIGHT_API_TOKEN warn that they are deprecated, and where the token protects nothing',
  'setting.QUERY_DEFAULT_LIMIT':
    'An executed query without a limit gets QUERY_DEFAULT_LIMIT rows and a warning; an explicit limit is never cut',
  'setting.SQL_DEFAULT_LIMIT':
    'A statement of a SQL wire whose answer would be cut at SQL_DEFAULT_LIMIT is refused, and never cut in silence',
  'setting.SESSION_MAX_MODEL_BYTES':
    'The models of a session take at most SESSION_MAX_MODEL_BYTES, those of all MODELS_MAX_BYTES; one more is a 429',
  'setting.MODEL_MAX_ENTRIES':
    'One list or mapping of a model has at most MODEL_MAX_ENTRIES entries; the refusal names the setting',
  'setting.READY_DATABASE_SECONDS':
    'GET /ready asks the databases again after READY_DATABASE_SECONDS, and after a statement that failed',
  'setting.COMPILE_UNKNOWN_TYPES':
    'Without a connection, declared types are believed and TYPES_NOT_CHECKED warns; COMPILE_UNKNOWN_TYPES=cast casts every column',
  'setting.CACHE_KEY': 'CACHE_KEY signs answers; a shared backend refuses to start without it',
  'setting.CLIENT_MAX_STATEMENTS':
    'CLIENT_MAX_STATEMENTS statements of one client run at one time; others of it wait, and after 10 s are a 429 that names the setting',
  'setting.ANSWER_MAX_ROWS': 'An answer of more than ANSWER_MAX_ROWS rows is a 422 that names the setting',
  'setting.ANSWER_MAX_BYTES': 'An answer of more than ANSWER_MAX_BYTES bytes is a 422 that names the setting',
  'setting.DB_POOL_SIZE': 'DB_POOL_SIZE connections per database, and no more',
  'setting.MODEL_DIR': 'MODEL_FILES are relative to MODEL_DIR, and inherit from nowhere outside',
  'setting.MODEL_SQL':
    'With MODEL_SQL=deny a model that a client sends holds no SQL text, no function outside the catalogue and no table of the system',
  'setting.MODEL_FUNCTIONS':
    'With MODEL_SQL=allow one SELECT of listed functions is admitted; MODEL_FUNCTIONS lists further ones',
  'setting.MODEL_SCHEMAS': 'Models of clients read the schemas of MODEL_SCHEMAS and no others',
  'setting.REST_QUERY_TIMEOUT_SECONDS':
    'A question over REST at which the database works longer than REST_QUERY_TIMEOUT_SECONDS is cancelled and is a 504 that names the setting',
  'setting.ONESHOT_BATCH_MAX_QUERIES': 'More than ONESHOT_BATCH_MAX_QUERIES queries in one batch are a 422',
  'setting.ONESHOT_BATCH_MAX_PARALLELISM':
    'ONESHOT_BATCH_MAX_PARALLELISM queries of a batch run at one time; max_parallelism may set fewer, and more causes a warning',
  'setting.ONESHOT_BATCH_DEFAULT_TIMEOUT_MS':
    'A query of a batch that takes longer than ONESHOT_BATCH_DEFAULT_TIMEOUT_MS is cancelled, and the rest goes on',
  'setting.ONESHOT_BATCH_BATCH_TIMEOUT_MS':
    'After ONESHOT_BATCH_BATCH_TIMEOUT_MS what runs and what waits is cancelled, and the rest is answered',
  'setting.API_SERVER_HOST': 'API_SERVER_HOST is the address that the REST server binds',
  'setting.HTTP_CLIENT_MAX_INCOMPLETE':
    'A request of an address with HTTP_CLIENT_MAX_INCOMPLETE connections without a complete request is a 429 that names the setting',
  'setting.ALLOWED_HOSTS':
    'On a loopback address, and where ALLOWED_HOSTS is set, Host must be a name of the machine or listed; probes and trusted proxies pass',
  'setting.ALLOWED_ORIGINS': 'A web page of another origin is refused, unless ALLOWED_ORIGINS lists it; preflights are answered',
  'setting.API_KEYS_FILE': 'API_KEYS_FILE lists named keys with roles, attributes and models, and is read again on SIGHUP',
  'setting.ADMIN_API_KEYS': 'With ADMIN_API_KEYS only these may clear the cache, verify models and reload',
  'setting.PGWIRE_HOST': 'PGWIRE_HOST and PGWIRE_PORT are where the Postgres wire surface listens',
  'setting.LOG_LEVEL': 'LOG_LEVEL leaves out what is less severe',
  'setting.TRACES_ENABLED': 'TRACES_ENABLED sends spans to an OpenTelemetry collector; nothing is sent without it',
  'setting.MCP_ENABLED': 'MCP_ENABLED serves MCP at /v1/mcp, where the credential of the caller counts',
  'setting.ODATA_ENABLED': 'ODATA_ENABLED serves models as OData feeds at /odata, where the credential of the caller counts',
  'setting.UI_ENABLED': 'UI_ENABLED=false leaves the web page out of the stock server',
  'setting.ROOT_PATH': 'ROOT_PATH is the path under which the web page finds its files; a balancer may keep it or remove it',
  'setting.SVC_API_KEY': 'SVC_API_KEY is the key that the web page acts with',
  'setting.API_BASE_URL': 'API_BASE_URL is the server that a web page apart asks',
  'route.ui': 'GET /ui serves the web page without a key',
  'ui.key':
    'The web page asks /v1 with SVC_API_KEY, or else as the person who signed in, takes none of API_KEYS, and shows no key of the server to a browser',
  'ui.standalone': 'A web page apart logs an error at its start when SVC_API_KEY is unset and the API wants a key',
  'mcp.key': 'The MCP server forwards its key on every upstream call',
  'setting.SEMANTIC_QL_STRICT': 'SEMANTIC_QL_STRICT answers only statements that are one query of one model',
  'setting.UNKNOWN': 'Unknown entries of the environment and of .env are ignored',
} as const

const due: Readonly<Record<string, readonly [says: string, because: string]>> = {}

/** One row per variable: it has the default of the specification if it is not set. */
const defaults = Object.fromEntries(
  Object.entries(coreVariables).map(([name, variable]) => [`default.${name}`, `${name} is ${shown(variable.default)}`]),
) as { readonly [K in keyof typeof coreVariables as `default.${K}`]: string }

function shown(value: unknown): string {
  if (value === undefined) return 'unset'
  return value === '' || (Array.isArray(value) && value.length === 0) ? 'empty' : String(value)
}

export const parts = {
  Routes: routes,
  Fields: fields,
  'States and transitions': states,
  'Admin-curated mode': curated,
  Authentication: auth,
  'Transport security': tls,
  Errors: errors,
  Caches: caches,
  'Postgres wire': pgwire,
  Operation: operation,
  'The service refuses to start with': refusals,
  'Settings that act by themselves': settings,
  'Defaults of the settings': defaults,
} as const

type Ids<P> = P extends Readonly<Record<infer K, unknown>> ? K & string : never
type Part = (typeof parts)[keyof typeof parts]
export type RowId = Part extends infer P ? (P extends unknown ? Ids<P> : never) : never
/** Rows that cannot be tested yet, and why. */
export const dueRows: Readonly<Record<string, readonly [says: string, because: string]>> = due

/** Where the service differs from a sentence of the specification, on purpose. Rows of `parts` describe what it does. */
export const differences: readonly { readonly text: string; readonly instead: string; readonly because: string }[] = [
  {
    text: '`QUERY_DEFAULT_LIMIT` (1000) is the limit of a query without one',
    instead:
      'REST, MCP and the page apply it. On the Postgres wire and Flight SQL it applies only where the operator has set it, and a longer result is then an error',
    because: 'BI tools add up what they read; a result that was cut in silence gives a wrong number',
  },
  {
    text: 'An empty `DEFAULT_LOCALE` gives en-style separators',
    instead: 'It does so unless the model sets `defaultLocale`',
    because: 'the setting is the default of the service, and the one of the model is more specific',
  },
  {
    text: '`PGWIRE_MAX_CONNECTIONS` (64) connections',
    instead: 'One client has all 64 while no other one connects, then 48 (`PGWIRE_CLIENT_MAX_CONNECTIONS`)',
    because: 'one client must not keep the others out',
  },
  {
    text: '`DB_POOL_SIZE` (5) connections per dialect',
    instead: 'One client runs five statements while no other one asks, then four (`CLIENT_MAX_STATEMENTS`)',
    because: 'one client must not keep the others out',
  },
  {
    text: 'A session holds `MAX_MODELS_PER_SESSION` (10) models of up to 5,000,000 characters',
    instead:
      'It does so where `SESSION_MAX_MODEL_BYTES`, `MODELS_MAX_BYTES` and the heap of Node allow it; the default is 128 MiB for one session, as estimated. One list or mapping has `MODEL_MAX_ENTRIES` (10,000) entries',
    because: 'a few large models must not end the process; each error names its setting',
  },
  {
    text: '`API_SERVER_HOST` (localhost) is the address that the server binds',
    instead:
      'A request to a loopback address must also name a host of this machine, one of `ALLOWED_HOSTS`, or come through `TRUSTED_PROXY_COUNT` proxies; others get 403. `/health`, `/ready` and `/robots.txt` are answered under every name',
    because: 'a page of another site could otherwise use the server through a name that it resolves to 127.0.0.1 (DNS rebinding)',
  },
  {
    text: 'Keys have at least 32 characters',
    instead: 'Keys of 16 to 31 characters are accepted with a warning at start; shorter ones are refused',
    because: 'the text names both thresholds and asks for the refusal at 16',
  },
  {
    text: 'The Postgres wire has the simple-query protocol',
    instead: 'It has the extended protocol, too',
    because: 'most drivers use nothing else',
  },
]

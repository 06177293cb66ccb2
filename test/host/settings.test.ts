import { flag, integer, list, oneOf, text } from '@grainline/core'
import { coreVariables, readSettings, reportSettings } from '@grainline/core/unstable'
import t from 'tap'
import { strayNames } from '../../core/src/settings/stray-names.js'
import { holds } from '../specification/holds.js'

const read = (process: Record<string, string>, dotenv: Record<string, string> = {}, config: Record<string, unknown> = {}) =>
  readSettings(coreVariables, { environment: { process, dotenv }, config })
const messages = (process: Record<string, string>) => read(process).faults.map(({ message }) => message)
const warnings = (process: Record<string, string>) => read(process).warnings.map(({ message }) => message)
const KEY = 'svc_pat_0123456789abcdef0123456789abcdef01234567'

t.test('without any variable every setting has the default of the specification', async (t) => {
  holds(t, 'default.*')
  const { settings, faults } = read({})
  t.same(faults, [])
  t.match(settings, {
    AUTH_MODE: 'none',
    API_KEYS: [],
    API_KEY_HEADER: 'X-API-Key',
    AUTH_ENABLED: false,
    SESSION_TTL_SECONDS: 1800,
    SESSION_MAX_AGE_SECONDS: 86400,
    SESSION_CLEANUP_INTERVAL: 60,
    MAX_SESSIONS: 500,
    MAX_MODELS_PER_SESSION: 10,
    SESSION_RATE_LIMIT: 10,
    TRUSTED_PROXY_COUNT: 0,
    DISABLE_SESSION_LIST: false,
    QUERY_EXECUTE: false,
    QUERY_DEFAULT_LIMIT: 1000,
    DB_POOL_SIZE: 5,
    DB_VENDOR: 'duckdb',
    DEFAULT_LOCALE: '',
    FLIGHT_ENABLED: false,
    FLIGHT_PORT: 8815,
    FLIGHT_AUTH_MODE: 'none',
    PGWIRE_ENABLED: false,
    PGWIRE_HOST: '0.0.0.0',
    PGWIRE_PORT: 5432,
    PGWIRE_MAX_CONNECTIONS: 64,
    PGWIRE_QUERY_TIMEOUT_SECONDS: 60,
    PGWIRE_AUTH_TIMEOUT_SECONDS: 10,
    PGWIRE_AUTH_MODE: 'trust',
    ONESHOT_BATCH_MAX_QUERIES: 50,
    ONESHOT_BATCH_MAX_PARALLELISM: 8,
    ONESHOT_BATCH_DEFAULT_TIMEOUT_MS: 30000,
    ONESHOT_BATCH_BATCH_TIMEOUT_MS: 120000,
    COMPILE_CACHE_MAX_ENTRIES: 2048,
    COMPILE_CACHE_MAX_BYTES: 67108864,
    COMPILE_CACHE_MAX_ENTRY_BYTES: 1048576,
    CACHE_BACKEND: 'noop',
    CACHE_DIR: './cache',
    CACHE_MAX_TTL_SECONDS: 86400,
    CACHE_MIN_TTL_SECONDS: 5,
    CACHE_MAX_VALUE_BYTES: 10485760,
    CACHE_MAX_DISK_BYTES: 5368709120,
    CACHE_SWEEP_INTERVAL_SECONDS: 86400,
    CACHE_UNKNOWN_FRESHNESS_POLICY: 'no_cache',
    CACHE_UNKNOWN_FRESHNESS_DEFAULT_TTL: 300,
    LOG_LEVEL: 'INFO',
    LOG_FORMAT: 'console',
    API_SERVER_HOST: 'localhost',
    API_SERVER_PORT: 8000,
    ROOT_PATH: '',
    MODEL_FILES: [],
    EXPOSE_API_DOCS: true,
    EXPOSE_OPENAPI_SCHEMA: true,
  })
  const unset = [
    'PORT',
    'SQL_DEFAULT_LIMIT',
    'MODEL_DIR',
    'API_BASE_URL',
    'HEARTBEAT_AUTH_TOKEN',
    'SVC_API_KEY',
    'FLIGHT_API_TOKEN',
  ]
  const tls = ['API', 'PGWIRE', 'FLIGHT'].flatMap((prefix) => ['CERT', 'KEY', 'CLIENT_CA'].map((what) => `${prefix}_TLS_${what}`))
  for (const name of [...unset, ...tls]) t.equal((settings as Record<string, unknown>)[name], undefined, name)
})

t.test('the environment overrides .env, .env overrides the config, and the config overrides the default', async (t) => {
  holds(t, 'settings.order', 'setting.UNKNOWN')
  const config = { MAX_SESSIONS: 3, DB_POOL_SIZE: 3, QUERY_EXECUTE: true, MODEL_FILES: ['a.yaml', 'b.yaml'] }
  const { settings, origins } = read(
    { MAX_SESSIONS: '1', UNKNOWN: 'x' },
    { MAX_SESSIONS: '2', DB_POOL_SIZE: '2', ALSO_UNKNOWN: 'y' },
    config,
  )
  t.equal(settings.MAX_SESSIONS, 1)
  t.equal(settings.DB_POOL_SIZE, 2)
  t.equal(settings.QUERY_EXECUTE, true)
  t.same(settings.MODEL_FILES, ['a.yaml', 'b.yaml'])
  const names = ['MAX_SESSIONS', 'DB_POOL_SIZE', 'QUERY_EXECUTE', 'PGWIRE_PORT']
  t.same(
    names.map((name) => origins.get(name)),
    ['environment', '.env', 'config', 'default'],
  )
  t.throws(() => Object.assign(settings, { MAX_SESSIONS: 2 }), 'settings cannot be changed')
})

t.test('the default limit on request bodies applies to SQL wires only if an operator set it', async (t) => {
  t.equal(read({}).settings.SQL_DEFAULT_LIMIT, undefined)
  t.equal(read({ QUERY_DEFAULT_LIMIT: '7' }).settings.SQL_DEFAULT_LIMIT, 7)
  t.equal(read({ QUERY_DEFAULT_LIMIT: '7', SQL_DEFAULT_LIMIT: '9' }).settings.SQL_DEFAULT_LIMIT, 9)
})

t.test('an empty variable counts as not set', async (t) => {
  t.equal(read({ MAX_SESSIONS: '', API_KEYS: ' ' }, { MAX_SESSIONS: '7' }).settings.MAX_SESSIONS, 7)
})

t.test('all invalid values are reported together, each with the name of its variable', async (t) => {
  holds(t, 'settings.all', 'refuse.value')
  const { faults } = read({
    MAX_SESSIONS: 'many',
    PGWIRE_PORT: '65536',
    DB_POOL_SIZE: '0',
    QUERY_EXECUTE: 'maybe',
    LOG_FORMAT: 'xml',
    SESSION_TTL_SECONDS: '1.5',
  })
  t.same(
    faults.map(({ code, path, message }) => [code, path, message]),
    [
      ['INVALID_VARIABLE', 'PGWIRE_PORT', "PGWIRE_PORT must be a whole number from 0 to 65535, not '65536' (from environment)"],
      ['INVALID_VARIABLE', 'LOG_FORMAT', "LOG_FORMAT must be one of console, json, cloudrun, not 'xml' (from environment)"],
      ['INVALID_VARIABLE', 'MAX_SESSIONS', "MAX_SESSIONS must be a whole number of at least 1, not 'many' (from environment)"],
      [
        'INVALID_VARIABLE',
        'SESSION_TTL_SECONDS',
        "SESSION_TTL_SECONDS must be a whole number of at least 1, not '1.5' (from environment)",
      ],
      ['INVALID_VARIABLE', 'QUERY_EXECUTE', "QUERY_EXECUTE must be true or false, not 'maybe' (from environment)"],
      ['INVALID_VARIABLE', 'DB_POOL_SIZE', "DB_POOL_SIZE must be a whole number from 1 to 1000, not '0' (from environment)"],
    ].sort((a, b) => Object.keys(coreVariables).indexOf(a[1]!) - Object.keys(coreVariables).indexOf(b[1]!)),
  )
})

t.test('a misspelled setting in the config is refused with the nearest name', async (t) => {
  const [fault] = read({}, {}, { MAX_SESSION: 3 }).faults
  t.match(fault, { code: 'INVALID_CONFIG', path: 'settings.MAX_SESSION', suggestions: ['MAX_SESSIONS'] })
})

t.test('AUTH_MODE=api_key needs keys that are long enough', async (t) => {
  holds(t, 'auth.weak', 'refuse.api-key-short', 'refuse.api-keys-empty')
  t.match(messages({ AUTH_MODE: 'api_key' }), [/^AUTH_MODE is api_key and API_KEYS is empty/])
  const short = messages({ AUTH_MODE: 'api_key', API_KEYS: `${KEY},tooshort` })
  t.match(short, [/^API_KEYS holds keys of fewer than 16 characters \(number 2\)/])
  t.notMatch(short, [/tooshort/], 'a key is never shown')
  t.same(messages({ AUTH_MODE: 'api_key', API_KEYS: '0123456789abcdef' }), [])
  t.match(warnings({ AUTH_MODE: 'api_key', API_KEYS: '0123456789abcdef' }), [/fewer than 32 characters \(number 1\)/])
  t.same(warnings({ AUTH_MODE: 'api_key', API_KEYS: KEY }), [])
})

t.test('AUTH_MODE=oidc is refused', async (t) => {
  holds(t, 'refuse.oidc')
  t.match(messages({ AUTH_MODE: 'oidc' }), [/^AUTH_MODE=oidc is planned and not available yet/])
})

t.test('AUTH_ENABLED has an effect only if AUTH_MODE is none, and always causes a warning', async (t) => {
  holds(t, 'auth.alias')
  const alone = read({ AUTH_ENABLED: 'true', API_KEYS: KEY })
  t.equal(alone.settings.AUTH_MODE, 'api_key')
  t.match(alone.warnings, [{ path: 'AUTH_ENABLED', message: /deprecated: set AUTH_MODE=api_key/ }])
  t.match(messages({ AUTH_ENABLED: '1' }), [/API_KEYS is empty/])
  t.match(warnings({ AUTH_ENABLED: 'true', AUTH_MODE: 'api_key', API_KEYS: KEY }), [/no effect beside AUTH_MODE=api_key/])
})

t.test('a certificate needs its key, and a client authority needs both; each error has the prefix of its surface', async (t) => {
  holds(t, 'refuse.tls.api.key', 'refuse.tls.api.cert', 'refuse.tls.api.ca')
  for (const prefix of ['API', 'PGWIRE', 'FLIGHT']) {
    t.match(messages({ [`${prefix}_TLS_CERT`]: 'c.pem' }), [new RegExp(`^${prefix}_TLS_CERT is set without ${prefix}_TLS_KEY`)])
    t.match(messages({ [`${prefix}_TLS_KEY`]: 'k.pem' }), [new RegExp(`^${prefix}_TLS_KEY is set without ${prefix}_TLS_CERT`)])
    t.match(messages({ [`${prefix}_TLS_CLIENT_CA`]: 'ca.pem' }), [
      new RegExp(`^${prefix}_TLS_CLIENT_CA asks for client certificates`),
    ])
    t.same(messages({ [`${prefix}_TLS_CERT`]: 'c', [`${prefix}_TLS_KEY`]: 'k', [`${prefix}_TLS_CLIENT_CA`]: 'a' }), [])
  }
})

t.test('PORT overrides API_SERVER_PORT', async (t) => {
  holds(t, 'setting.PORT')
  t.equal(read({ PORT: '9000', API_SERVER_PORT: '8001' }).settings.API_SERVER_PORT, 9000)
  t.equal(read({ API_SERVER_PORT: '8001' }).settings.API_SERVER_PORT, 8001)
})

t.test('FLIGHT_ENABLED implies execution; PGWIRE_ENABLED does not, and a message says so', async (t) => {
  holds(t, 'setting.FLIGHT_ENABLED', 'setting.PGWIRE_ENABLED')
  t.equal(read({ FLIGHT_ENABLED: 'true' }).settings.QUERY_EXECUTE, true)
  t.equal(read({ PGWIRE_ENABLED: 'true' }).settings.QUERY_EXECUTE, false)
  t.match(warnings({ PGWIRE_ENABLED: 'true' }), [/does not turn execution on/])
})

t.test('the legacy Flight token causes a warning, and a stronger one if it protects nothing', async (t) => {
  holds(t, 'setting.FLIGHT_AUTH_MODE')
  t.match(warnings({ FLIGHT_API_TOKEN: 'abc' }), [/deprecated/, /FLIGHT_API_TOKEN alone protects nothing/])
  t.match(warnings({ FLIGHT_API_TOKEN: 'abc', FLIGHT_AUTH_MODE: 'token' }), [/deprecated/])
})

t.test('words are accepted in any case and become the spelling of the table', async (t) => {
  t.equal(read({ LOG_LEVEL: 'debug' }).settings.LOG_LEVEL, 'DEBUG')
})

t.test('a plugin declares variables with its own types', async (t) => {
  const table = {
    ...coreVariables,
    ACME_URL: text({ default: 'http://here', means: 'Where.' }),
    ACME_TOKEN: text({ default: '', means: 'Who.', secret: true }),
    ACME_ON: flag({ default: false, means: 'Whether.' }),
    ACME_SIZE: integer({ default: 3, least: 2, most: 4, means: 'How many.' }),
    ACME_LIST: list({ means: 'Which.' }),
    ACME_KIND: oneOf(['big', 'small'], { default: 'small', means: 'What kind.' }),
  }
  const environment = { process: { ACME_ON: 'on', ACME_SIZE: '9', ACME_LIST: 'a, b,,c', ACME_TOKEN: 'hush' }, dotenv: {} }
  const result = readSettings(table, { environment, config: {} })
  t.match(result.settings, {
    ACME_URL: 'http://here',
    ACME_ON: true,
    ACME_SIZE: 3,
    ACME_LIST: ['a', 'b', 'c'],
    ACME_KIND: 'small',
  })
  t.match(result.faults, [{ path: 'ACME_SIZE', message: /from 2 to 4/ }])
  const shown = reportSettings(table, result)
  t.notMatch(JSON.stringify(shown), /hush/)
  t.match(
    shown.find(({ name }) => name === 'ACME_TOKEN'),
    { value: '(secret)', origin: 'environment' },
  )
})

t.test('keys without api_key are refused, because the operator means to protect the server', async (t) => {
  for (const name of ['API_KEYS', 'ADMIN_API_KEYS'])
    for (const mode of [{}, { AUTH_MODE: 'none' }])
      t.match(messages({ [name]: KEY, ...mode }), [new RegExp(`^${name} is set and AUTH_MODE is none`)])
  t.same(messages({ API_KEYS: KEY, AUTH_ENABLED: 'true' }), [])
})

t.test('a name that is almost that of a setting is reported', async (t) => {
  const said = (dotenv: Record<string, string>, process = {}) =>
    strayNames(Object.keys(coreVariables), { process, dotenv, unreadable: [3] }).map(({ message }) => message)
  for (const [wrong, right] of [
    ['AUTH_MOD', 'AUTH_MODE'],
    ['auth_mode', 'AUTH_MODE'],
    ['API_KEY', 'API_KEYS'],
    ['MODEL_FILE', 'MODEL_FILES'],
  ] as const) {
    const expected = [/^Line 3 of \.env is not NAME=value/, new RegExp(`^${wrong} in \\.env is not a setting .*'${right}'`)]
    t.match(said({ [wrong]: 'x' }), expected)
    t.match(said({}, { [wrong]: 'x' })[1], new RegExp(`^${wrong} in the environment is not`))
    t.equal(said({ [wrong]: 'x', [right]: 'y' }).length, 1, 'both may be set')
  }
  t.equal(said({}, { ...process.env, HOST: 'h', HOME: '/', PATH: '/', LANG: 'C', SHELL: 'sh', NODE_ENV: 'x' }).length, 1)
})

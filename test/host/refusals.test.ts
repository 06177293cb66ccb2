/** Every error at the start that the interface specification lists, tested on a real process. */
import t, { type Test } from 'tap'
import { shopModel } from '../rest/shop.js'
import { holds } from '../specification/holds.js'
import { selfSigned } from './certificate.js'
import { run, start } from './process.js'

t.setTimeout(600_000)

const config = "plugins: ['@grainline/surface-rest', '@grainline/dialect-duckdb']\n"
const LONG = 'svc_pat_0123456789abcdef0123456789abcdef01234567'
const SHORT = 'fifteen-letters'
const faulty = 'name: faulty\ndimensions:\n  A: { dataObject: Nothing, column: B }\n'

/**
 * Starts a process with these variables and files; passes if the process ends without a signal, with all of `says` in its output and without
 * listening.
 */
async function refuses(
  t: Test,
  env: Record<string, string>,
  says: readonly RegExp[],
  files: Record<string, string> = {},
): Promise<string> {
  const cwd = t.testdir({ 'config.yaml': config, ...files })
  const { code, stdout, stderr } = await run(t, ['serve', '--config', 'config.yaml'], { cwd, env: { PORT: '0', ...env } })
  t.equal(code, 1, 'the process ends with a failure')
  for (const sentence of says) t.match(stderr, sentence)
  t.notMatch(stdout, /listens? on/, 'nothing listens')
  t.notMatch(stderr, /\n {4}at /, 'a sentence and no stack')
  return stderr
}

t.test('the start fails for a known variable with an invalid value, but not for an unknown key', async (t) => {
  holds(t, 'refuse.value', 'settings.all')
  const env = {
    MAX_SESSIONS: 'many',
    LOG_LEVEL: 'LOUD',
    QUERY_EXECUTE: 'maybe',
    PGWIRE_PORT: '70000',
    DEFAULT_LOCALE: 'not a tag',
  }
  const said = await refuses(t, { ...env, API_BASE_URL: 'nowhere', ROOT_PATH: 'ui', SOMETHING_ELSE: 'x' }, [
    /^INVALID_VARIABLE: 7 settings are refused/,
    /MAX_SESSIONS must be a whole number of at least 1, not 'many' \(from environment\)/,
    /LOG_LEVEL must be one of TRACE/,
    /QUERY_EXECUTE must be true or false/,
    /PGWIRE_PORT must be a whole number from 0 to 65535/,
    /DEFAULT_LOCALE must be a BCP 47 tag/,
    /API_BASE_URL must be an http or https URL/,
    /ROOT_PATH must be a path that begins with '\/'/,
  ])
  t.notMatch(said, /SOMETHING_ELSE/)
  t.equal(said.split('LOG_LEVEL must be').length, 2, 'each is reported once')
})

// A process reports all errors, so one start tests several of them; test/host/settings.test.ts tests each of them alone.
t.test(
  'the start fails for api_key without keys, a certificate without its key, and settings that contradict each other',
  async (t) => {
    holds(t, 'refuse.api-keys-empty', 'refuse.tls.api.key', 'refuse.tls.pgwire.key', 'refuse.tls.flight.key')
    holds(t, 'refuse.cache-range', 'refuse.header')
    const certificates = { API_TLS_CERT: 'c.pem', PGWIRE_TLS_CERT: 'c.pem', FLIGHT_TLS_CERT: 'c.pem' }
    const crossed = { CACHE_MIN_TTL_SECONDS: '10', CACHE_MAX_TTL_SECONDS: '5', API_KEY_HEADER: 'X Key' }
    await refuses(t, { AUTH_MODE: 'api_key', ...certificates, ...crossed }, [
      /^INVALID_VARIABLE: 6 settings are refused/,
      /AUTH_MODE is api_key and API_KEYS is empty/,
      /API_TLS_CERT is set without API_TLS_KEY/,
      /PGWIRE_TLS_CERT is set without PGWIRE_TLS_KEY/,
      /FLIGHT_TLS_CERT is set without FLIGHT_TLS_KEY/,
      /CACHE_MIN_TTL_SECONDS \(10\) is above CACHE_MAX_TTL_SECONDS \(5\)/,
      /API_KEY_HEADER must be the name of a header, not 'X Key'/,
    ])
  },
)

t.test('the start fails for AUTH_ENABLED without keys and for a key without its certificate', async (t) => {
  holds(t, 'refuse.auth-enabled-empty', 'refuse.tls.api.cert', 'refuse.tls.pgwire.cert', 'refuse.tls.flight.cert')
  await refuses(t, { AUTH_ENABLED: 'true', API_TLS_KEY: 'k.pem', PGWIRE_TLS_KEY: 'k.pem', FLIGHT_TLS_KEY: 'k.pem' }, [
    /^INVALID_VARIABLE: 4 settings are refused/,
    /API_KEYS is empty/,
    /API_TLS_KEY is set without API_TLS_CERT/,
    /PGWIRE_TLS_KEY is set without PGWIRE_TLS_CERT/,
    /FLIGHT_TLS_KEY is set without FLIGHT_TLS_CERT/,
  ])
})

t.test('the start fails for oidc, a short key, which is not printed, and a client authority without a certificate', async (t) => {
  holds(t, 'refuse.oidc', 'refuse.api-key-short', 'refuse.tls.api.ca', 'refuse.tls.pgwire.ca', 'refuse.tls.flight.ca')
  const authorities = { API_TLS_CLIENT_CA: 'ca.pem', PGWIRE_TLS_CLIENT_CA: 'ca.pem', FLIGHT_TLS_CLIENT_CA: 'ca.pem' }
  const needs = (prefix: string) =>
    new RegExp(`${prefix}_TLS_CLIENT_CA asks for client certificates, which needs ${prefix}_TLS_CERT and ${prefix}_TLS_KEY too`)
  const said = await refuses(t, { AUTH_MODE: 'oidc', API_KEYS: `${LONG},${SHORT}`, ...authorities }, [
    /^INVALID_VARIABLE: 5 settings are refused/,
    /AUTH_MODE=oidc is planned and not available yet/,
    /fewer than 16 characters \(number 2\)/,
    needs('API'),
    needs('PGWIRE'),
    needs('FLIGHT'),
  ])
  t.notMatch(said, SHORT)
  t.notMatch(said, LONG)
})

t.test('the start fails for names that no loaded plugin offers, and lists the available names', async (t) => {
  holds(t, 'refuse.auth-mode', 'refuse.vendor', 'refuse.cache-backend')
  await refuses(t, { AUTH_MODE: 'api_keys', QUERY_EXECUTE: 'true', DB_VENDOR: 'oracle', CACHE_BACKEND: 'fil' }, [
    /AUTH_MODE is 'api_keys', and the loaded plugins offer none, api_key/,
    /DB_VENDOR is 'oracle', and no loaded plugin offers any/,
    /CACHE_BACKEND is 'fil', and the loaded plugins offer noop/,
  ])
})

t.test('the start fails for an unusable certificate, key or client authority', async (t) => {
  holds(t, 'refuse.tls.unreadable')
  const [one, other] = [selfSigned(), selfSigned()]
  const files = { 'cert.pem': one.cert, 'key.pem': other.key, 'own.pem': one.key, 'ca.pem': 'no certificate' }
  const pair = { API_TLS_CERT: 'cert.pem', API_TLS_KEY: 'own.pem' }
  await refuses(t, { ...pair, API_TLS_CERT: 'absent.pem' }, [/API_TLS_CERT names a file that cannot be read/], files)
  await refuses(t, { ...pair, API_TLS_KEY: 'key.pem' }, [/API_TLS_CERT and API_TLS_KEY cannot be used: .*mismatch/], files)
  await refuses(t, { ...pair, API_TLS_CLIENT_CA: 'ca.pem' }, [/API_TLS_CLIENT_CA holds no certificate in PEM/], files)
})

t.test('the start fails for one invalid model file, with every error of every file', async (t) => {
  holds(t, 'refuse.models', 'refuse.models.collision')
  const files = {
    'good.yaml': JSON.stringify(shopModel),
    'bad.yaml': faulty,
    'worse.yaml': 'name: [',
    'twin.yaml': JSON.stringify({ ...shopModel, name: 'SHOP' }),
  }
  const says = [
    /^MODEL_INVALID: /,
    /bad\.yaml:3:\d+ UNKNOWN_DATA_OBJECT/,
    /worse\.yaml:\d+:\d+ YAML_PARSE_ERROR/,
    /absent\.yaml INVALID_VARIABLE The file does not exist/,
    /twin\.yaml INVALID_VARIABLE Its session would be named 'SHOP', as that of .*good\.yaml is/,
  ]
  const said = await refuses(t, { MODEL_FILES: 'good.yaml,bad.yaml,worse.yaml,absent.yaml,twin.yaml' }, says, files)
  t.notMatch(said, /good\.yaml:/, 'a good file has no error')
})

t.test('the start fails for a port in use', async (t) => {
  holds(t, 'refuse.port')
  const cwd = t.testdir({ 'config.yaml': config })
  const first = start(t, ['serve', '--config', 'config.yaml'], { cwd, env: { PORT: '0' } })
  const [, port] = await first.shows(/listens? on http:\/\/[^,]*:(\d+), TLS/)
  const { code, stderr } = await run(t, ['serve', '--config', 'config.yaml'], { cwd, env: { PORT: port! } })
  t.equal(code, 1)
  t.match(stderr, `INVALID_VARIABLE: PORT=${port} on localhost is not available: the port is taken`)
})

t.test('the start fails for an audit file that cannot be written', async (t) => {
  holds(t, 'refuse.audit')
  await refuses(t, { AUDIT_FILE: 'absent/audit.jsonl' }, [/INVALID_VARIABLE: AUDIT_FILE cannot be written/])
})

t.test('the start fails for an enabled surface that is not installed, with the install command', async (t) => {
  holds(t, 'refuse.surface')
  const missing = "plugins: [{ use: '@grainline/surface-absent', enabled: FLIGHT_ENABLED }]\n"
  await refuses(t, { FLIGHT_ENABLED: 'true' }, [/^PLUGIN_NOT_FOUND: /, /npm install @grainline\/surface-absent/], {
    'config.yaml': missing,
  })
})

t.test('keys of 16 to 31 characters and deprecated variables cause warnings at the start', async (t) => {
  holds(t, 'auth.weak', 'auth.alias', 'setting.FLIGHT_AUTH_MODE', 'setting.PGWIRE_ENABLED')
  const cwd = t.testdir({ 'config.yaml': config })
  const env = {
    PORT: '0',
    LOG_FORMAT: 'json',
    AUTH_ENABLED: 'true',
    API_KEYS: 'sixteen-letters!',
    FLIGHT_API_TOKEN: 'legacy',
    PGWIRE_ENABLED: 'true',
  }
  const server = start(t, ['serve', '--config', 'config.yaml'], { cwd, env })
  const [, address] = await server.shows(/listens? on (http:\/\/[^,]*), TLS off/)
  const said = server.stdout()
  t.match(said, /API_KEYS holds keys of fewer than 32 characters \(number 1\); longer ones are safer/)
  t.match(said, /AUTH_ENABLED is deprecated: set AUTH_MODE=api_key instead/)
  t.match(said, /FLIGHT_AUTH_MODE and FLIGHT_API_TOKEN are deprecated/)
  t.match(said, /FLIGHT_API_TOKEN alone protects nothing/)
  t.match(said, /PGWIRE_ENABLED does not turn execution on/)
  t.notMatch(said, /sixteen-letters|legacy/)
  t.match(await (await fetch(`${address}/health`)).json(), { auth_mode: 'api_key' })
  t.equal((await fetch(`${address}/v1/dialects`)).status, 401)
  t.equal((await fetch(`${address}/v1/dialects`, { headers: { 'x-api-key': 'sixteen-letters!' } })).status, 200)
})

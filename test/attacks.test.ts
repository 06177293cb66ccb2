/**
 * Attacks that once succeeded, on a served process and over real sockets, while another client sends queries. The answers of that client
 * stay the same byte for byte, the event loop is not blocked, the attacker gets the specified error, and the memory is released. The attack
 * on PostgreSQL is in test/interop/postgres/attacks.test.ts.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { attackerOf } from './attacks/attacker.js'
import { ATTACKS } from './attacks/attacks.js'
import { looksAtFlights, startVictim } from './attacks/victim.js'
import { Client } from './load/client.js'
import { flightsConfig } from './load/flights.js'
import { sourceFile, startWatched } from './load/server.js'
import { bestAttempt, keepsTurns } from './longest-turn.js'
import { shopModel, shopQuery } from './rest/shop.js'
import { holds } from './specification/holds.js'
import { oneIn } from './support/amount.js'

t.setTimeout(1_800_000)

const MB = 1024 * 1024
/**
 * The memory limit of the server with the catalogue of the Postgres wire, plus the process of the evaluator: one statement once took 4.6
 * GB.
 */
const MOST_MEMORY = 1536 * MB
/** Growth of the memory of live objects from before the attacks to after them. */
const MOST_KEPT = 32 * MB

const open = {
  QUERY_EXECUTE: 'true',
  MODEL_SQL: 'allow',
  DISABLE_SESSION_LIST: 'true',
  REST_QUERY_TIMEOUT_SECONDS: '3',
  DUCKDB_MEMORY_LIMIT: '256MB',
  SESSION_MAX_MODEL_BYTES: String(64 * MB),
  MALLOC_ARENA_MAX: '2',
  NODE_OPTIONS: '--max-old-space-size=448',
  PGWIRE_ENABLED: 'true',
  PGWIRE_PORT: '0',
  FLIGHT_ENABLED: 'true',
  FLIGHT_HOST: '127.0.0.1',
  FLIGHT_PORT: '0',
}

t.test('on a server without keys', async (t) => {
  holds(t, 'operation.turns')
  const { plugins, preload } = JSON.parse(flightsConfig) as { plugins: unknown[]; preload: unknown }
  const vendors = ['vendor-postgres', 'vendor-mysql', 'vendor-clickhouse', 'dialect-mysql', 'dialect-clickhouse'].map(sourceFile)
  const server = await startWatched(open, JSON.stringify({ plugins: [...plugins, ...vendors], preload }))
  t.teardown(async () => {
    server.kill('SIGKILL')
    await server.ended
  })
  const ports = { url: server.url, wire: await server.wire(), flight: await server.flight() }
  t.match(
    server.log(),
    /SURFACE PGWIRE LISTENS BEYOND THIS MACHINE .* WITHOUT AUTHENTICATION/,
    '13: a surface that anyone on the network may ask says so',
  )
  const { looks, close } = await looksAtFlights(ports)
  const victim = await startVictim(looks)
  const attacker = attackerOf(ports)
  await victim.round()
  const { heapUsed: before } = await server.watch()
  let peak = 0
  const sampling = setInterval(() => {
    peak = Math.max(peak, server.memory() ?? 0)
  }, 250)
  t.teardown(() => clearInterval(sampling))

  for (const { number, what, make, says, turns = 1 } of oneIn(6, ATTACKS)) {
    t.test(`${number}: ${what}`, async (t) => {
      const best = await bestAttempt(async () => {
        await server.watch()
        const result = await make(attacker)
        await victim.round()
        const { ownCallMs: turn } = await server.watch()
        for (const text of result) t.match(text, says)
        t.ok(result.length > 0)
        return { result, turn }
      }, turns)
      keepsTurns(t, best)
      t.same(victim.wrong(), [], `${victim.right()} answers of the other client were as before`)
    })
  }

  t.test('14: attacks at the same time', async (t) => {
    const together = oneIn(6, ATTACKS)
    const heard = await Promise.all(together.map(async ({ make, what }) => [what, await make(attacker).catch(String)]))
    t.equal(heard.length, together.length)
    await victim.round()
    t.same(victim.wrong(), [], `${victim.right()} answers of the other client were as before`)
    t.ok(victim.late() < victim.right(), `${victim.late()} of its queries were sent again`)
    const { heapUsed: after } = await server.watch()
    t.ok(after - before < MOST_KEPT, `${mb(before)} of live objects before, ${mb(after)} after`)
    t.ok(peak < MOST_MEMORY, `${mb(peak)} were taken at most`)
    t.equal(JSON.parse((await attacker.get('/health')).slice(4)).status, 'ok')
  })

  t.test('the server without keys survives', async (t) => {
    await victim.stop()
    attacker.close()
    close()
    server.kill('SIGTERM')
    t.equal(await server.ended, 0)
  })
})

const mb = (bytes: number): string => `${Math.round(bytes / MB)} MB`

const [VICTIM = '', ATTACKER = '', ADMIN = ''] = ['1', '2', '3'].map((digit) => `svc_pat_${digit.repeat(40)}`)

t.test('on a server with keys, whose sessions are not listed', async (t) => {
  const folder = t.testdir()
  const [cache, audit] = [path.join(folder, 'cache'), path.join(folder, 'audit.jsonl')]
  const plugins = ['dialect-duckdb', 'vendor-duckdb', 'semantic-ql', 'evaluator-duckdb', 'cache-file', 'surface-rest'].map(
    sourceFile,
  )
  const server = await startWatched(
    {
      AUTH_MODE: 'api_key',
      API_KEYS: [VICTIM, ATTACKER].join(','),
      ADMIN_API_KEYS: ADMIN,
      DISABLE_SESSION_LIST: 'true',
      EXPOSE_OPENAPI_SCHEMA: 'false',
      MODEL_SQL: 'allow',
      CACHE_BACKEND: 'file',
      CACHE_DIR: cache,
      CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl',
      AUDIT_FILE: audit,
    },
    JSON.stringify({ plugins }),
  )
  t.teardown(async () => {
    server.kill('SIGKILL')
    await server.ended
  })
  const http = new Client(server.url, 1)
  const as = async (method: string, path: string, body?: object, accept = 'application/json') => {
    const { status, text } = await http.send(method, path, body && JSON.stringify(body), { 'x-api-key': VICTIM, accept })
    return `${status} ${text}`
  }
  const session = /"session_id":"([^"]+)"/.exec(await as('POST', '/v1/sessions', {}))![1]!
  const model = /"model_id":"([^"]+)"/.exec(await as('POST', `/v1/sessions/${session}/models`, { model_json: shopModel }))![1]!
  const ask = (query: object) => as('POST', `/v1/sessions/${session}/query/execute`, { model_id: model, query }, 'text/csv')
  const victim = await startVictim({
    question: () => ask(shopQuery),
    fields: () => as('GET', `/v1/sessions/${session}/models/${model}/dimensions`),
  })
  const attacker = attackerOf({ url: server.url }, ATTACKER)
  const stranger = attackerOf({ url: server.url })
  t.teardown(() => {
    for (const client of [http, attacker, stranger]) client.close()
  })
  const unchanged = async () => {
    await victim.round()
    t.same(victim.wrong(), [], `${victim.right()} answers of the other client were as before`)
  }

  t.test('6: a client without the id of the only session does not find it', async (t) => {
    const own = { query: shopQuery }
    const heard = await Promise.all([
      attacker.get('/v1/sessions'),
      attacker.get('/v1/schema'),
      attacker.get('/v1/dimensions'),
      attacker.post('/v1/query/execute', own),
      attacker.post('/v1/query/sql', own),
      attacker.post('/v1/query/semantic-ql', { sql: 'SELECT "Region" FROM shop' }),
      attacker.get(`/v1/sessions/${session.slice(0, -1)}`),
    ])
    for (const text of heard) {
      t.match(text, /^40[0349] /)
      for (const secret of [session, model, 'North', 'Revenue']) t.notMatch(text, secret)
    }
    await unchanged()
  })

  t.test('11: administration, unknown routes and the OpenAPI document', async (t) => {
    for (const verb of ['/v1/cache/clear', '/v1/cache/sweep', '/v1/verify'])
      t.match(await attacker.post(verb, {}), /^403 .*ADMIN_REQUIRED/)
    for (const route of ['/v1/nothing', '/nothing', '/v1/sessions', '/v1/settings'])
      t.match(await stranger.get(route), /^401 .*AUTH_REQUIRED/, route)
    t.match(await stranger.forged('PATCH', '/v1/sessions', {}), /^401 /)
    for (const document of ['/docs/json', '/openapi.json']) t.match(await attacker.get(document), /^404 /, document)
    await unchanged()
  })

  t.test('11: files are readable only by their owner, and files that others wrote are not served', async (t) => {
    await unchanged()
    const files = filesBelow(cache)
    t.ok(files.length > 1, `${files.length} files`)
    for (const file of [audit, ...files]) t.equal(statSync(file).mode & 0o077, 0, file)
    // Someone with write access to this folder changes every file: an answer then has wrong numbers, or is damaged.
    for (const file of files) {
      const bytes = readFileSync(file)
      if (path.basename(file) === 'cache.key') continue
      for (let i = Math.floor(bytes.length / 2); i < bytes.length; i++) bytes[i] = bytes[i]! ^ 1
      writeFileSync(file, bytes)
    }
    await unchanged()
  })

  t.test('the server with keys survives', async (t) => {
    await victim.stop()
    server.kill('SIGTERM')
    t.equal(await server.ended, 0)
  })
})

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
}

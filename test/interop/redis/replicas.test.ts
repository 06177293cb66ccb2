/**
 * docs/scaling.md, three replicas behind a load balancer: each answers for published models, Redis shares answers, and a client stays with
 * its session.
 */
import { createHash } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { start } from '../../host/process.js'
import { shopModel } from '../../rest/shop.js'
import { redisBinary, redisServer } from './server.js'

const REPLICAS = 3
const TOKEN = 'a heartbeat token of good length'
const KEYS = ['ann', 'bob', 'cy', 'dee'].map((name) => `${name}_pat_0123456789abcdef0123456789abcdef01234567`)
const curated = {
  version: 1,
  name: 'schemas',
  dataObjects: {
    Schemas: {
      code: 'duckdb_schemas',
      columns: { Name: { code: 'schema_name', abstractType: 'string', primaryKey: true } },
      refresh: { mode: 'heartbeat', maxStaleness: '1h' },
    },
  },
  dimensions: { Name: { dataObject: 'Schemas', column: 'Name' } },
  measures: { Names: { aggregation: 'count', columns: [{ dataObject: 'Schemas', column: 'Name' }] } },
}
const config = `plugins:
  - '@grainline/dialect-duckdb'
  - '@grainline/vendor-duckdb'
  - '@grainline/semantic-ql'
  - '@grainline/cache-redis'
  - '@grainline/surface-rest'
preload:
  - { session: schemas, model: schemas.json }
`

/** Sends all requests of one key to one server, and requests without a key to each in turn. */
async function balancer(t: Test, servers: readonly string[]): Promise<string> {
  let turn = 0
  const chosen = (key: string | undefined): string => {
    const number = key === undefined ? turn++ : createHash('sha256').update(key).digest().readUInt32BE()
    return servers[number % servers.length]!
  }
  const server = http.createServer((request, response) => {
    const key = request.headers['x-api-key'] as string | undefined
    const headers = { ...request.headers, 'x-forwarded-for': request.socket.remoteAddress }
    const sent = http.request(chosen(key) + request.url, { method: request.method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    sent.on('error', () => response.writeHead(502).end())
    request.pipe(sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const binary = redisBinary()
if (binary === undefined) {
  t.pass('no redis-server or valkey-server is installed (apt-get install redis-server), and REDIS_SERVER names none')
} else {
  const redis = await redisServer(binary)
  t.teardown(() => redis.stop())
  const cwd = t.testdir({ 'config.yaml': config, 'schemas.json': JSON.stringify(curated) })
  const env = {
    PORT: '0',
    LOG_FORMAT: 'json',
    QUERY_EXECUTE: 'true',
    MODEL_SQL: 'allow',
    DUCKDB_MEMORY_LIMIT: '256MB',
    CACHE_BACKEND: 'redis',
    CACHE_REDIS_URL: redis.url,
    CACHE_KEY: 'the key of this test',
    HEARTBEAT_AUTH_TOKEN: TOKEN,
    TRUSTED_PROXY_COUNT: '1',
    DISABLE_SESSION_LIST: 'true',
  }
  const replicas = Array.from({ length: REPLICAS }, () => start(t, ['serve', '--config', 'config.yaml'], { cwd, env }))
  const addresses = await Promise.all(
    replicas.map(async (replica) => (await replica.shows(/Surface rest listens on (http[^,]+), TLS/))[1]!),
  )
  const url = await balancer(t, addresses)
  const ask = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer, it says.
    return { status: answer.status, body: (await answer.json()) as any }
  }
  const question = { model: 'schemas', query: { select: { measures: ['Names'] } } }
  const rounds = async () => {
    const answers = []
    for (let i = 0; i < REPLICAS; i++) answers.push((await ask('/v1/query/execute', question)).body)
    return answers
  }

  t.test('every replica answers for a published model, and one query to the database serves all', async (t) => {
    const answers = await rounds()
    t.same(
      answers.map(({ cached }) => cached),
      [false, true, true],
    )
    t.equal(new Set(answers.map(({ rows }) => JSON.stringify(rows))).size, 1)
  })

  t.test('a heartbeat to one replica removes the answer of all', async (t) => {
    const beat = await ask('/v1/heartbeat', { table: 'duckdb_schemas' }, { authorization: `Bearer ${TOKEN}` })
    t.match(beat, { status: 200, body: { invalidated_cache_entries: 1 } })
    t.same(
      (await rounds()).map(({ cached }) => cached),
      [false, true, true],
    )
  })

  t.test('the sessions of a client stay on the replica that its key selects', async (t) => {
    for (const key of KEYS) {
      const headers = { 'x-api-key': key }
      const { body: session } = await ask('/v1/sessions', {}, headers)
      const loaded = await ask(`/v1/sessions/${session.session_id}/models`, { model_json: shopModel }, headers)
      t.equal(loaded.status, 201, JSON.stringify(loaded.body))
      for (let i = 0; i < REPLICAS; i++) {
        const { status, body } = await ask(
          `/v1/sessions/${session.session_id}/query/execute`,
          { model_id: loaded.body.model_id, query: { select: { measures: ['Revenue'] } } },
          headers,
        )
        t.match({ status, rows: body.rows }, { status: 200, rows: [[36]] })
      }
      const statuses = new Set()
      for (const address of addresses) statuses.add((await fetch(`${address}/v1/sessions/${session.session_id}`)).status)
      t.same(statuses, new Set([200, 404]), 'one replica has it')
    }
  })

  t.test('when a replica is gone, the entries in Redis remain usable', async (t) => {
    replicas[0]!.signal('SIGTERM')
    t.equal(await replicas[0]!.ended, 0)
    const answers = []
    while (answers.length < 2) {
      const { status, body } = await ask('/v1/query/execute', question).catch(() => ({ status: 502, body: {} }))
      if (status === 200) answers.push(body.cached)
    }
    t.same(answers, [true, true])
  })
}

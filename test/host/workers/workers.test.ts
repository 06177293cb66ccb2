/** `grainline serve --workers 2`: every worker answers for the state of the others, and shared limits are counted once. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import t from 'tap'
import { workerOfId } from '../../../core/src/workers/worker-ids.js'
import { shopModel } from '../../rest/shop.js'
import { holds } from '../../specification/holds.js'
import { run, start } from '../process.js'
import { type Crowd, serveWorkers } from './served.js'

const query = { select: { dimensions: ['Region'], measures: ['Revenue'] }, order_by: [{ field: 'Region' }] }
/** More requests than workers, so that each of them gets one. */
const TIMES = [1, 2, 3]

async function opened({ ask }: Crowd, metadata = {}): Promise<string> {
  const { status, body } = await ask('POST', '/v1/sessions', { metadata })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.session_id
}

interface Held {
  readonly session: string
  readonly model: string
}

/** Opens so many sessions, one after the other, so that the workers open them in turn; then loads a model in each. */
async function loaded(crowd: Crowd, count = 1): Promise<Held[]> {
  const sessions = []
  for (let i = 0; i < count; i++) sessions.push(await opened(crowd))
  const held = []
  for (const session of sessions) {
    const { status, body } = await crowd.ask('POST', `/v1/sessions/${session}/models`, { model_json: shopModel })
    if (status !== 201) throw new Error(JSON.stringify(body))
    held.push({ session, model: body.model_id as string })
  }
  return held
}

t.test('a session is the same on every worker', async (t) => {
  holds(t, 'workers.sessions')
  const crowd = await serveWorkers(t)
  const { ask } = crowd
  const held = await loaded(crowd, 4)
  t.same(new Set(held.map(({ session }) => workerOfId(session))), new Set([1, 2]), 'both workers hold some')

  const rows = new Set<string>()
  for (const { session, model } of held) {
    const paths = [
      ['POST', `/v1/sessions/${session}/query/execute`, { model_id: model, query }],
      ['POST', '/v1/query/execute', { session_id: session, query }],
      ['POST', '/v1/query/execute', { model_id: model, query }],
      ['POST', `/v1/sessions/${session}/query/sql`, { model_id: model, query }],
      ['POST', `/v1/sessions/${session}/query/semantic-ql`, { sql: 'SELECT "Region", "Revenue" FROM shop ORDER BY 1' }],
      ['POST', `/v1/sessions/${session}/models/${model}/find`, { query: 'revenue' }],
      ['POST', `/v1/sessions/${session}/validate`, { model_json: shopModel }],
      ['POST', '/v1/oneshot/batch', { session_id: session, model_id: model, queries: [{ id: 'a', query }], execute: true }],
      ['POST', `/v1/sessions/${session}/models/${model}/diff`, { with: { model_id: held[0]!.model } }],
      ['GET', `/v1/sessions/${session}/models`],
      ['GET', `/v1/sessions/${session}/models/${model}`],
      ['GET', `/v1/sessions/${session}/models/${model}/schema`],
      ['GET', `/v1/sessions/${session}/models/${model}/source`],
      ['GET', `/v1/schema?session_id=${session}`],
    ] as const
    for (const [method, path, body] of paths) {
      const answers = []
      for (const _ of TIMES) answers.push(await ask(method, path, body))
      t.same(new Set(answers.map(({ status }) => status)), new Set([200]), `${method} ${path}: ${answers[0]!.text}`)
      t.same(new Set(answers.map(withoutTimes)).size, 1, `${method} ${path} is answered alike`)
    }
    for (const _ of TIMES)
      rows.add(JSON.stringify((await ask('POST', '/v1/query/execute', { session_id: session, query })).body.rows))
  }
  t.same([...rows], ['[["North","30"],["South","5"],[null,"1"]]'])
  for (const { session, model } of held) {
    const path = `/v1/sessions/${session}/models/${model}/source`
    const by = new Set(crowd.lines().flatMap(({ url, worker }) => (url === path ? worker : [])))
    t.same(by, new Set([1, 2]), 'both workers were asked')
  }

  for (const _ of TIMES) {
    const { body } = await ask('GET', '/v1/sessions')
    const listed = body.sessions.map((each: { session_id: string; model_count: number }) => [each.session_id, each.model_count])
    t.same(
      listed,
      held.map(({ session }) => [session, 1]),
      'the list is whole, oldest first',
    )
    const several = await ask('POST', '/v1/query/sql', { query })
    t.equal(several.status, 409)
    t.same([...several.body.errors[0].context.sessions].sort(), held.map(({ session }) => session).sort())
  }

  const [first, ...others] = held
  const again = await Promise.all(
    TIMES.map(() => ask('POST', `/v1/sessions/${first!.session}/models`, { model_json: shopModel })),
  )
  t.same(
    again.map(({ body }) => [body.model_load, body.model_id]),
    TIMES.map(() => ['reused', first!.model]),
  )
  for (const { session, model } of others) {
    t.equal((await ask('DELETE', `/v1/sessions/${session}/models/${model}`)).status, 204)
    for (const _ of TIMES) {
      t.match(await ask('GET', `/v1/sessions/${session}/models/${model}`), { status: 404, body: { code: 'MODEL_NOT_FOUND' } })
      t.match((await ask('GET', `/v1/sessions/${session}`)).body, { model_count: 0 })
    }
    t.equal((await ask('DELETE', `/v1/sessions/${session}`)).status, 204)
    for (const _ of TIMES)
      t.match(await ask('GET', `/v1/sessions/${session}`), { status: 404, body: { code: 'SESSION_NOT_FOUND' } })
  }
  for (const _ of TIMES) t.match(await ask('POST', '/v1/query/execute', query), { status: 200 }, 'the only model there is')
  const made = others[0]!.session
  const never = `${made.slice(0, 15)}abc${made.slice(18)}`
  for (const _ of TIMES) {
    const { status, body } = await ask('GET', `/v1/sessions/${never}`)
    t.match({ status, detail: body.detail }, { status: 404, detail: /There is no session/ }, 'a number that no worker has had')
  }
})

/** The parts of an answer that depend on its time and its request. */
const withoutTimes = ({ text }: { readonly text: string }): string =>
  text.replaceAll(
    /"(request_id|read_at|last_accessed_at|expires_at|milliseconds|duration_ms|execution_time_ms)":("[^"]*"|[\d.]+)/g,
    '',
  )

t.test('sessions are counted for all workers together', async (t) => {
  holds(t, 'workers.global')
  const crowd = await serveWorkers(t, { MAX_SESSIONS: '3', SESSION_RATE_LIMIT: '6', METRICS_ENABLED: 'true' })
  const { ask } = crowd
  const open = () => ask('POST', '/v1/sessions')
  const ids = []
  for (const _ of TIMES) ids.push((await open()).body.session_id)
  t.match(await open(), {
    status: 429,
    body: { code: 'SESSION_LIMIT', detail: /holds 3 sessions/ },
    headers: { 'retry-after': /^\d+$/ },
  })
  for (const _ of TIMES) {
    const { text } = await ask('GET', '/v1/telemetry/metrics')
    t.match(text, /grainline_held\{what="sessions"\} 3\n/)
    t.match(text, /grainline_http_request_seconds_count\{method="POST",route="\/v1\/sessions",status="201"\} 3\n/)
  }
  for (const id of ids.slice(1)) t.equal((await ask('DELETE', `/v1/sessions/${id}`)).status, 204)
  t.equal((await open()).status, 201, 'there is room again')
  t.equal((await open()).status, 201)
  t.match(
    await open(),
    { status: 429, body: { code: 'RATE_LIMITED', detail: /6 sessions per minute/ } },
    'the seventh of a minute',
  )
})

t.test('sessions that have expired at another worker make room', async (t) => {
  const crowd = await serveWorkers(t, { MAX_SESSIONS: '2', SESSION_MAX_AGE_SECONDS: '1', SESSION_CLEANUP_INTERVAL: '3600' })
  t.equal((await crowd.ask('POST', '/v1/sessions')).status, 201)
  t.equal((await crowd.ask('POST', '/v1/sessions')).status, 201)
  let reply = await crowd.ask('POST', '/v1/sessions')
  while (reply.status === 429) {
    t.match(reply.body.code, 'SESSION_LIMIT')
    reply = await crowd.ask('POST', '/v1/sessions')
  }
  t.equal(reply.status, 201)
})

const tables = {
  version: 1,
  name: 'tables',
  dataObjects: {
    Tables: {
      code: 'duckdb_schemas',
      columns: { Name: { code: 'schema_name', abstractType: 'string', primaryKey: true } },
      refresh: { mode: 'heartbeat', maxStaleness: '1h' },
    },
  },
  dimensions: { Name: { dataObject: 'Tables', column: 'Name' } },
  measures: { Names: { aggregation: 'count', columns: [{ dataObject: 'Tables', column: 'Name' }] } },
}

t.test('a heartbeat removes the answers of every worker, and so does clearing the cache', async (t) => {
  const TOKEN = 'a heartbeat token of good length'
  const env = { CACHE_BACKEND: 'memory', HEARTBEAT_AUTH_TOKEN: TOKEN, MODEL_FILES: 'tables.json' }
  const crowd = await serveWorkers(t, env, { files: { 'tables.json': JSON.stringify(tables) } })
  const { ask } = crowd
  const cached = async () => (await ask('POST', '/v1/query/execute', { query: { select: { measures: ['Names'] } } })).body.cached
  const warm = async () => {
    const seen = []
    for (let i = 0; i < 4; i++) seen.push(await cached())
    return seen
  }
  t.same(await warm(), [false, false, true, true], 'each worker keeps answers of its own')
  t.match((await ask('GET', '/v1/cache/stats')).body, { entry_count: 2, hit_count_total: 2, miss_count_total: 2 })
  const beat = await ask('POST', '/v1/heartbeat', { table: 'duckdb_schemas' }, { authorization: `Bearer ${TOKEN}` })
  t.match(beat.body, { invalidated_cache_entries: 2, affected_data_objects: ['Tables'] })
  t.equal(beat.status, 200, beat.text)
  // An even number of requests, so that the same worker gets the next first request.
  await ask('GET', '/health')
  t.same(await warm(), [false, false, true, true])
  t.match((await ask('POST', '/v1/cache/clear')).body, { entries_cleared: 2 })
  await ask('GET', '/health')
  t.same(await warm(), [false, false, true, true])
})

t.test('a worker that is killed is replaced; its sessions are gone, and the error says so', async (t) => {
  holds(t, 'workers.restart')
  const crowd = await serveWorkers(t, { MAX_SESSIONS: '2' })
  const { ask } = crowd
  const held = await loaded(crowd, 2)
  const [lost, kept] = held.toSorted((a, b) => workerOfId(a.session)! - workerOfId(b.session)!)
  for (const { session } of held) for (const _ of TIMES) await ask('POST', '/v1/query/execute', { session_id: session, query })
  process.kill(crowd.workers().get(workerOfId(lost!.session)!)!, 'SIGKILL')
  await crowd.shows(/Worker 1 has ended \(SIGKILL\)/)
  for (const _ of TIMES) {
    t.match(await ask('POST', '/v1/query/execute', { session_id: kept!.session, query }), { status: 200 })
    const { status, body } = await ask('GET', `/v1/sessions/${lost!.session}`)
    t.match(
      { status, body },
      { status: 404, body: { code: 'SESSION_NOT_FOUND', detail: /The worker that held the session .* has ended/ } },
    )
    t.match((await ask('POST', '/v1/query/sql', { model_id: lost!.model, query })).body, { code: 'SESSION_NOT_FOUND' })
  }
  await crowd.shows(/Worker 3 serves/)
  t.same((await ask('GET', '/v1/sessions')).body.sessions.length, 1)
  const [next] = await loaded(crowd)
  for (const _ of TIMES) {
    t.match(await ask('POST', '/v1/query/execute', { session_id: next!.session, query }), { status: 200 })
    t.match(await ask('POST', '/v1/query/execute', { session_id: kept!.session, query }), { status: 200 })
    t.match(await ask('DELETE', `/v1/sessions/${lost!.session}`), { status: 404 })
  }
  t.match(await ask('POST', '/v1/sessions'), { status: 429 }, 'what the lost worker held does not count')
})

t.test('a model that one worker reloads or verifies is known to all workers; agents are served by any worker', async (t) => {
  const model = (description: string) => JSON.stringify({ ...shopModel, description })
  const files = { 'shop.json': model('first') }
  const crowd = await serveWorkers(t, { MODEL_FILES: 'shop.json', MCP_ENABLED: 'true' }, { files })
  const { ask } = crowd
  const described = async () => {
    const answers = []
    for (const _ of TIMES) answers.push((await ask('GET', '/v1/sessions/shop/models/shop')).body)
    return answers
  }
  t.equal((await ask('POST', '/v1/verify')).status, 200)
  t.same(new Set((await described()).map(({ health }) => health.verification.findings)), new Set([0]))
  writeFileSync(path.join(crowd.cwd, 'shop.json'), model('second'))
  crowd.signal('SIGHUP')
  await crowd.shows(/(model shop replaced from its file[\s\S]*){2}/)
  t.same(
    (await described()).map(({ description }) => description),
    TIMES.map(() => 'second'),
  )
  const headers = { accept: 'application/json, text/event-stream' }
  for (const id of TIMES) {
    const call = { name: 'query', arguments: { dimensions: ['Region'], measures: ['Revenue'] } }
    const { status, text } = await ask('POST', '/v1/mcp', { jsonrpc: '2.0', id, method: 'tools/call', params: call }, headers)
    t.equal(status, 200, text)
    t.match(text, /North/)
  }
})

t.test('on SIGTERM all workers stop after their current work, and the port is free', async (t) => {
  holds(t, 'workers.stop')
  const crowd = await serveWorkers(t)
  const pids = [...crowd.workers().values()]
  t.equal(pids.length, 2)
  crowd.signal('SIGTERM')
  t.equal(await crowd.ended, 0)
  for (const pid of pids) t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  const { port } = new URL(crowd.address)
  const taken = createServer().listen(Number(port), 'localhost')
  await once(taken, 'listening')
  taken.close()
})

t.test('workers stop when the first process is killed', async (t) => {
  const crowd = await serveWorkers(t)
  crowd.signal('SIGKILL')
  // The output is closed when the last process that holds it has ended.
  t.equal(await crowd.ended, null)
  await t.rejects(crowd.ask('GET', '/health'), { code: 'ECONNREFUSED' })
})

t.test('invalid options are refused, and reported once', async (t) => {
  holds(t, 'refuse.workers')
  const cwd = t.testdir({ 'shop.yaml': 'nonsense: [' })
  const env = { PORT: '0', UI_ENABLED: 'false' }
  const refused = async (args: readonly string[], more: Record<string, string> = {}) =>
    run(t, ['serve', ...args], { cwd, env: { ...env, ...more } })
  t.match(await refused(['--workers', '0']), { code: 2, stderr: /--workers is a number from 1 to 64, not '0'/ })
  t.match(await refused(['--workers', 'two']), { code: 2, stderr: /not 'two'/ })
  t.match(await refused(['--workers', '6'], { QUERY_EXECUTE: 'true' }), { code: 1, stderr: /6 workers share DB_POOL_SIZE=5/ })
  const written = { DUCKDB_DATABASE: 'new.duckdb', DUCKDB_READ_ONLY: 'false', QUERY_EXECUTE: 'true' }
  const { code, stderr } = await refused(['--workers', '2'], written)
  t.equal(code, 1)
  t.match(stderr, /2 workers cannot open '.*new\.duckdb' for writing/)
  t.equal(stderr.split('cannot open').length, 2, 'once')
  t.match(await refused(['--workers', '2'], { MODEL_FILES: 'shop.yaml' }), { code: 1, stderr: /shop\.yaml/ })
  const taken = createServer().listen(0, 'localhost')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  t.match(await refused(['--workers', '2'], { PORT: String(port) }), { code: 1, stderr: /the port is taken/ })
  taken.close()
})

t.test('--workers 1 behaves like a server without workers', async (t) => {
  const server = start(t, ['serve', '--workers', '1'], {
    cwd: t.testdir({}),
    env: { PORT: '0', LOG_FORMAT: 'json', UI_ENABLED: 'false' },
  })
  await server.shows(/listens? on (http[^,]+), TLS/)
  t.notMatch(server.stdout(), /"worker"/)
  server.signal('SIGTERM')
  t.equal(await server.ended, 0)
})

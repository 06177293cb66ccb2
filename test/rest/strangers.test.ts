/** If sessions are not listed, the output of a process must not reveal the sessions of its clients to its readers. */
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { start } from '../host/process.js'
import { shopModel, shopQuery } from './shop.js'

const plugins = ['dialect-duckdb', 'vendor-duckdb', 'cache-file', 'semantic-ql', 'format-parquet', 'surface-rest'].map(
  (name) => `@grainline/${name}`,
)

t.setTimeout(120_000)

t.test('no log line and no audit line names a session, and the files are readable only by their owner', async (t) => {
  const cwd = t.testdir({ 'config.yaml': JSON.stringify({ plugins }) })
  const [audit, cache] = ['audit.jsonl', 'cache'].map((name) => path.join(cwd, name)) as [string, string]
  const env = {
    ...{
      PORT: '0',
      LOG_FORMAT: 'json',
      LOG_LEVEL: 'DEBUG',
      DISABLE_SESSION_LIST: 'true',
      QUERY_EXECUTE: 'true',
      MODEL_SQL: 'allow',
      AUDIT_FILE: audit,
    },
    ...{ CACHE_BACKEND: 'file', CACHE_DIR: cache, CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl' },
  }
  const server = start(t, ['serve', '--config', 'config.yaml'], { cwd, env })
  const [, address] = await server.shows(/listens? on (http[^,]+), TLS/)
  const send = async (url: string, body?: object, method = body ? 'POST' : 'GET') => {
    const answer = await fetch(address + url, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    return (await answer.json()) as Record<string, string>
  }
  const { session_id: id = 'none' } = await send('/v1/sessions', {})
  const { model_id } = await send(`/v1/sessions/${id}/models`, { model_json: shopModel })
  t.match(await send(`/v1/sessions/${id}/query/execute`, { model_id, query: shopQuery }), { row_count: 3 })
  await send(`/v1/sessions/${id}/models/nothing`)
  await send(`/v1/sessions/${id}/nothing`)
  await send(`/v1/sessions/${id}`, undefined, 'PATCH')
  await send(`/v1/sessions/${id}/query/sql`, { model_id, query: { select: { dimensions: ['Nothing'] } } })
  server.signal('SIGTERM')
  t.equal(await server.ended, 0)
  t.match(server.stdout(), /sessions\/:session_id/)
  t.notMatch(server.stdout(), id)
  const lines = readFileSync(audit, 'utf8')
  t.match(lines, /"session_id":"session:[0-9a-f]{12}"/)
  t.notMatch(lines, id)
  for (const file of [audit, path.join(cache, 'cache.key')]) t.equal(statSync(file).mode & 0o777, 0o600, file)
  t.equal(statSync(cache).mode & 0o777, 0o700)
})

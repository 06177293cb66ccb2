/** A session belongs to the principal that opened it: for everybody else it does not exist, on every route of sessions and by every way to a model. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { executing, startRest } from '../rest/server.js'
import { requestsOf } from './doors.js'

const keyOf = (name: string) => `svc_pat_${name}_0123456789abcdef0123456789abcdef`
const KEYS_FILE = ['ann', 'bob', 'ops'].map(
  (name) => `- { name: ${name}, key: ${keyOf(name)}, roles: [${name === 'ops' ? 'admin' : 'user'}] }`,
)
const MODEL = `
version: 1
name: private
settings: { defaultDialect: duckdb }
dataObjects:
  Rows: { code: (SELECT 42 AS id), columns: { Id: { code: id, abstractType: int, primaryKey: true } } }
dimensions: { Region: { dataObject: Rows, column: Id } }
measures: { Revenue: { columns: [{ dataObject: Rows, column: Id }], aggregation: sum } }
`

t.test('another principal finds nothing of a session', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'grainline-sessions-'))
  t.teardown(() => rm(dir, { recursive: true }))
  await writeFile(join(dir, 'keys.yaml'), KEYS_FILE.join('\n'))
  const server = await startRest({
    plugins: [...(executing.plugins ?? []), '@grainline/evaluator-duckdb', '@grainline/surface-odata'],
    settings: { ...executing.settings, AUTH_MODE: 'api_key', API_KEYS_FILE: join(dir, 'keys.yaml'), CACHE_BACKEND: 'noop' },
  })
  t.teardown(() => server.close())
  const as = (name: string) => ({ 'x-api-key': keyOf(name) })
  const opened = await server.post('/v1/sessions', { metadata: { of: 'ann' } }, as('ann'))
  const session: string = opened.body.session_id
  const { body } = await server.post(`/v1/sessions/${session}/models`, { model_yaml: MODEL }, as('ann'))
  const model: string = body.model_id

  const ask = async (who: string, unknown: boolean) => {
    const parts = {
      session_id: unknown ? '00000000-0000-4000-8000-000000000000' : session,
      model_id: unknown ? '00000000' : model,
    }
    const answers: { name: string; status: number; text: string }[] = []
    for (const { name, request } of requestsOf(
      server,
      parts,
      ({ method, url }) => url.includes(':session_id') && method !== 'DELETE',
    )) {
      const answer = await server.app.inject({ ...request, headers: { ...as(who), ...request.headers } })
      answers.push({ name, status: answer.statusCode, text: answer.payload })
    }
    return answers
  }
  const [ann, bob, nobody] = [await ask('ann', false), await ask('bob', false), await ask('bob', true)]
  t.ok(ann.length > 30, `${ann.length} requests`)
  t.ok(ann.filter(({ status }) => status < 300).length > 20, 'most answer who opened it')
  const plain = (text: string) =>
    text
      .replaceAll(session, 'ID')
      .replaceAll('00000000-0000-4000-8000-000000000000', 'ID')
      .replace(/req-\w+/g, '')
  for (const [i, { name, status, text }] of bob.entries()) {
    const other = nobody[i]
    t.ok(status >= 400, `${name} is refused: ${status}`)
    t.equal(plain(text), plain(other?.text ?? ''), `${name} says the same as of a session that does not exist`)
  }
  t.equal((await ask('ops', false))[0]?.status, 200, 'an administrator finds it')

  const target = { session_id: session, model_id: model }
  const query = { select: { measures: ['Revenue'] } }
  for (const named of [target, { session_id: session }, { model_id: model }, { model: 'private' }, {}]) {
    for (const [path, sent] of [
      ['/v1/query/execute', { ...named, query }],
      ['/v1/oneshot/batch', { ...named, queries: [{ query }], execute: true }],
      ['/v1/query/semantic-ql', { ...named, sql: 'SELECT Revenue FROM private' }],
    ] as const) {
      if (path !== '/v1/query/execute' && 'model' in named) continue
      const asked = async (who: string) => (await server.post(path, sent, as(who))).text
      t.notMatch(await asked('bob'), /\b42\b|"sessions"/, `${path} by ${Object.keys(named)}`)
    }
  }
  t.match((await server.post('/v1/query/execute', { query }, as('ann'))).body, { rows: [[42]] })
  t.match((await server.get(`/odata/${session}/$metadata`, as('ann'))).text, /Revenue/)
  t.equal((await server.get(`/odata/${session}/$metadata`, as('bob'))).status, 404)
  t.same((await server.get('/v1/sessions', as('bob'))).body, { sessions: [] })
  t.equal((await server.get('/v1/sessions', as('ann'))).body.sessions.length, 1)
  t.equal((await server.get('/v1/sessions', as('ops'))).body.sessions.length, 1)
  for (const url of [`/v1/sessions/${session}/models/${model}`, `/v1/sessions/${session}`]) {
    const removed = (who: string) => server.app.inject({ method: 'DELETE', url, headers: as(who) })
    t.equal((await removed('bob')).statusCode, 404)
    t.equal((await removed('ann')).statusCode, 204)
  }
})

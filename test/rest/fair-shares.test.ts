/** Sixteen clients that send as many requests as they can do not block one with few: each has its own key. */
import evaluator from '@grainline/evaluator-duckdb'
import vendor from '@grainline/vendor-duckdb'
import t from 'tap'
import { oneIn } from '../support/amount.js'
import { dialects, startRest } from './server.js'

t.setTimeout(300_000)

const keyOf = (n: number) => `svc_pat_${String(n).padStart(40, '0')}`
const HOSTILE = Array.from({ length: 16 }, (_, n) => keyOf(n + 1))
const HONEST = keyOf(0)
const ANSWERS = 8
/** A client that is served in turn waits for the statement of one place, or a few. One that waits behind all others waits for most of them. */
const MOST_BEFORE = HOSTILE.length
/** A slow machine alone can cause these refusals, and the query is sent again. */
const LATE: ReadonlySet<unknown> = new Set(['QUERY_TIMEOUT', 'POOL_EXHAUSTED'])

const table = (name: string) => ({ code: name, columns: { N: { code: 'n', abstractType: 'int' } } })
const MODEL = {
  version: 1,
  name: 'numbers',
  dataObjects: { Things: table('things'), Endless: table('endless') },
  dimensions: { N: { dataObject: 'Things', column: 'N' }, E: { dataObject: 'Endless', column: 'N' } },
}
const INIT = [
  'CREATE VIEW things AS SELECT range AS n FROM range(3)',
  'CREATE VIEW endless AS SELECT a.range AS n FROM range(100000000) a, range(100000000) b WHERE a.range + b.range < 0',
]
const crossed = (letters: string) =>
  `SELECT count(*) FROM ${[...letters].map((letter) => `(SELECT "N" AS n FROM many) AS ${letter}`).join(' CROSS JOIN ')} WHERE ${[...letters].map((letter) => `${letter}.n`).join(' + ')} < 0`

async function serving() {
  const server = await startRest({
    plugins: [
      ...dialects,
      { use: vendor, with: { init: [...INIT, 'CREATE VIEW many AS SELECT range AS n FROM range(1000)'] } },
      evaluator,
    ],
    settings: {
      QUERY_EXECUTE: true,
      AUTH_MODE: 'api_key',
      API_KEYS: [HONEST, ...HOSTILE].join(','),
      REST_QUERY_TIMEOUT_SECONDS: 1,
      DUCKDB_THREADS: 1,
      // Each statement holds a thread of libuv.
      DB_POOL_SIZE: 3,
      MAX_SESSIONS: 100,
      SESSION_RATE_LIMIT: 100,
    },
  })
  const send = (key: string, path: string, body: unknown = {}) => server.post(path, body, { 'x-api-key': key })
  const many = { ...MODEL, name: 'many', dataObjects: { Things: table('many') }, dimensions: { N: MODEL.dimensions.N } }
  // A session belongs to the key that opened it.
  const opened = [HONEST, ...HOSTILE].map(async (key) => {
    const { session_id } = (await send(key, '/v1/sessions')).body
    for (const model_json of [MODEL, many]) {
      const { status, text } = await send(key, `/v1/sessions/${session_id}/models`, { model_json })
      if (status !== 201) throw new Error(text)
    }
    return [key, String(session_id)] as const
  })
  return { server, send, sessions: new Map(await Promise.all(opened)) }
}

type Ask = (session_id: string | undefined) => [string, unknown]

const WAYS: Readonly<Record<string, { readonly slow: Ask; readonly quick: Ask }>> = {
  'connections of the database': {
    slow: (session_id) => [
      '/v1/query/execute',
      { session_id, model: 'numbers', query: { select: { dimensions: ['E'] }, limit: 5 } },
    ],
    quick: (session_id) => [
      '/v1/query/execute',
      { session_id, model: 'numbers', query: { select: { dimensions: ['N'] }, limit: 5 } },
    ],
  },
  'places of the evaluator': {
    slow: (session_id) => ['/v1/query/semantic-ql', { session_id, model: 'many', sql: crossed('abcdef') }],
    quick: (session_id) => [
      '/v1/query/semantic-ql',
      {
        session_id,
        model: 'many',
        sql: 'SELECT count(*) AS n FROM (SELECT "N" FROM many LIMIT 3) AS a CROSS JOIN (SELECT "N" FROM many LIMIT 3) AS b',
      },
    ],
  },
}

for (const [name, { slow, quick }] of oneIn(2, Object.entries(WAYS))) {
  t.test(name, async (t) => {
    const at = await serving()
    const ask = (key: string, way: Ask) => at.send(key, ...way(at.sessions.get(key)))
    let over = false
    let ended = 0
    const heavy = new Set<string>()
    const attack = async (key: string) => {
      while (!over) {
        if ((await ask(key, slow)).body.code !== 'QUERY_TIMEOUT') continue
        heavy.add(key)
        ended++
      }
    }
    let before = 0
    const served = async () => {
      for (;;) {
        const from = ended
        const answer = await ask(HONEST, quick)
        before = Math.max(before, ended - from)
        if (before > MOST_BEFORE || !LATE.has(answer.body.code)) return answer
      }
    }
    t.match(await ask(HONEST, quick), { status: 200 })
    const attacks = HOSTILE.flatMap((key) => Array.from({ length: 3 }, () => attack(key)))
    // Use before this does not distinguish the clients yet.
    while (heavy.size < HOSTILE.length) await ask(HONEST, quick)
    for (let i = 0; i < ANSWERS; i++) {
      const { status, text } = await served()
      t.equal(status, 200, text.slice(0, 300))
    }
    t.ok(before <= MOST_BEFORE, `${before} statements of others ended while one was waited for`)
    over = true
    await at.server.stop()
    await Promise.all(attacks)
    await at.server.close()
  })
}

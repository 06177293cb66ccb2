import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../bench/measurement.js'
import { restConfig, startWatched } from './server.js'

const MB = 1024 * 1024
const MOST_MEMORY = 1024 * MB
const keyOf = (name: string) => `${name}_0123456789abcdef0123456789abcdef0123`
const [GOOD, SLOW, OTHER, WIDE] = ['good', 'slow', 'other', 'wide'].map(keyOf) as [string, string, string, string]
const ROWS = 5_000_000
/** The share of the small queries that must be answered; the others may be asked to come again. */
const LEAST_ANSWERED = 0.9

const made = (text: string) => ({ resultType: 'string', expression: `lpad({[Rows].[T]}, ${9900}, '${text}')` })
const MODEL = {
  version: 1,
  name: 'rows',
  dataObjects: {
    Rows: {
      code: 'many',
      columns: { N: { code: 'n', abstractType: 'int' }, T: { code: 't', abstractType: 'string' } },
    },
    Few: { code: 'few', columns: { N: { code: 'n', abstractType: 'int' } } },
  },
  dimensions: {
    N: { dataObject: 'Rows', column: 'N' },
    Few: { dataObject: 'Few', column: 'N' },
    ...Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`P${i}`, { dataObject: 'Rows', ...made(String(i % 10)) }])),
  },
  measures: {
    Widest: { aggregation: 'max', ...made('x') },
    Mode: { aggregation: 'mode', ...made('x') },
    Distinct: { aggregation: 'count_distinct', ...made('x'), resultType: 'int' },
    Median: { aggregation: 'median', resultType: 'float', columns: [{ dataObject: 'Rows', column: 'N' }] },
  },
}
const GROWING = [
  { dimensions: ['N'], measures: ['Widest'] },
  { measures: ['Mode'] },
  { measures: ['Distinct'] },
  { dimensions: ['N'], measures: ['Median'] },
  { dimensions: Array.from({ length: 40 }, (_, i) => `P${i}`) },
]

/**
 * Answers that are not read, statements that grow, and small queries whose answers are known, with the settings for a container of 1 GB. Fails if an
 * answer is wrong, if too few small queries are answered, or if the server takes more memory than that.
 */
export async function mixed(minutes: number): Promise<string> {
  const init = [
    'CREATE VIEW few AS SELECT range AS n FROM range(3)',
    `CREATE VIEW many AS SELECT range AS n, 'text ' || range AS t FROM range(${ROWS})`,
  ]
  const server = await startWatched(
    {
      MODEL_SQL: 'deny',
      AUTH_MODE: 'api_key',
      API_KEYS: [GOOD, SLOW, OTHER, WIDE].join(','),
      DB_POOL_SIZE: '5',
      DUCKDB_MEMORY_LIMIT: '256MiB',
      REST_QUERY_TIMEOUT_SECONDS: '20',
      MALLOC_ARENA_MAX: '2',
      NODE_OPTIONS: '--max-old-space-size=448',
    },
    restConfig({ init, threads: 2 }),
  )
  const until = performance.now() + minutes * 60_000
  const isOver = () => performance.now() > until
  const post = (key: string, path: string, body: unknown) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(body),
    })
  const { session_id } = (await (await post(GOOD, '/v1/sessions', {})).json()) as { session_id: string }
  const loaded = await post(GOOD, `/v1/sessions/${session_id}/models`, { model_json: MODEL })
  if (loaded.status !== 201) throw new Error(await loaded.text())

  const ends = new Map<string, number>()
  const count = (what: string) => ends.set(what, (ends.get(what) ?? 0) + 1)
  const execute = (key: string, select: object, limit: number) =>
    post(key, '/v1/query/execute?format=ndjson', { session_id, query: { select, limit } })

  const stalled = async (key: string) => {
    while (!isOver()) {
      const answer = await execute(key, { dimensions: ['N'] }, ROWS)
      if (answer.status !== 200) {
        count(`stalled ${answer.status}`)
        await answer.text()
        await sleep(500)
        continue
      }
      await sleep(15_000)
      const rows = await answer.text().then(
        (text) => text.trimEnd().split('\n').length,
        () => undefined,
      )
      if (rows !== undefined && rows !== ROWS) throw new Error(`${rows} rows`)
      count(rows === undefined ? 'slow answers that ended' : 'slow answers that were whole')
    }
  }
  const growing = async () => {
    for (let i = 0; !isOver(); i++) {
      const answer = await execute(WIDE, GROWING[i % GROWING.length]!, 100_000)
      const text = await answer.text().catch(() => 'reset')
      count(`growing ${answer.status === 200 ? 200 : (/"code":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 20))}`)
    }
  }
  const taken: number[] = []
  let busy = 0
  const asking = async () => {
    while (!isOver()) {
      const began = performance.now()
      const answer = await execute(GOOD, { dimensions: ['Few'] }, 10 + (taken.length % 7))
      const text = await answer.text()
      if (answer.status === 200 && text !== RIGHT) throw new Error(`a wrong answer: ${text}`)
      if (answer.status === 200) taken.push(performance.now() - began)
      else if (answer.status === 503 || answer.status === 429 || answer.status === 422) busy++
      else throw new Error(text)
      await sleep(100)
    }
  }
  let together = 0
  const sampling = setInterval(() => {
    together = Math.max(together, server.memory() ?? 0)
  }, 100)
  await Promise.all([asking(), growing(), ...[SLOW, SLOW, SLOW, SLOW, OTHER].map(stalled)])
  clearInterval(sampling)
  const { rss } = await server.watch()
  const peak = Math.max(together, server.peak() ?? 0)
  server.kill('SIGTERM')
  if ((await server.ended) !== 0) throw new Error('the server did not end well')
  const sorted = taken.toSorted((a, b) => a - b)
  const said = [
    `${minutes} minutes: ${taken.length} small queries right, ${busy} asked to come again`,
    `they took ${percentile(sorted, 0.5).toFixed(0)}, ${percentile(sorted, 0.95).toFixed(0)} and at most ${percentile(sorted, 1).toFixed(0)} ms`,
    [...ends].map(([what, times]) => `${what} × ${times}`).join(', '),
    `peak ${(peak / MB).toFixed(0)} MB, at the end ${(rss / MB).toFixed(0)} MB`,
  ].join('; ')
  if (peak > MOST_MEMORY) throw new Error(`the server took too much memory: ${said}`)
  if (taken.length < LEAST_ANSWERED * (taken.length + busy)) throw new Error(`others were not answered: ${said}`)
  return said
}

const RIGHT = [0, 1, 2].map((n) => `{"Few":${n}}\n`).join('')

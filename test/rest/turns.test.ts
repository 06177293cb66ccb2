/** No request of a client blocks the event loop for others: none takes more than 50 ms of its thread at once on an idle machine. */
import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { bestOf, keepsTurns } from '../longest-turn.js'
import { holds } from '../specification/holds.js'
import { oneIn } from '../support/amount.js'
import { compiling, startRest, type TestOptions } from './server.js'

t.setTimeout(600_000)

/** Posts from another thread, so that only the server uses this one. */
function postFromElsewhere(url: string, body: string): Promise<{ readonly status: number; readonly text: string }> {
  const code = `const { parentPort, workerData: { url, body } } = require('node:worker_threads')
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      .then(async (answer) => parentPort.postMessage({ status: answer.status, text: await answer.text() }))`
  return new Promise((resolve, reject) => {
    const worker = new Worker(code, { eval: true, workerData: { url, body } })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

const keys = (count: number, value = '1') => `{${Array.from({ length: count }, (_, i) => `"k${i}":${value}`).join(',')}}`
const chain = (count: number) =>
  Object.fromEntries([
    ['M0', { type: 'derived', expression: '{[Revenue]} + 1' }],
    ...Array.from({ length: count - 1 }, (_, i) => [`M${i + 1}`, { type: 'derived', expression: `{[M${i}]} + 1` }]),
  ])
const named = (count: number, value: object) => Object.fromEntries(numbers(count).map((i) => [`N${i}`, value]))
const wide = (changes: object) => ({
  version: 1,
  name: 'wide',
  dataObjects: { T: { code: 't', columns: { N0: { code: 'c', abstractType: 'int' } }, ...changes } },
  dimensions: { N: { dataObject: 'T', column: 'N0' } },
})
const query = (changes: object) =>
  JSON.stringify({ query: { select: { dimensions: ['Region'], measures: ['Revenue'] }, ...changes } })
const filter = (value: unknown) => ({ where: [{ field: 'Sale Id', op: 'in', value }] })
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
const blanks = (count: number) => ' '.repeat(count)
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

const STATEMENT = '/v1/query/semantic-ql/compile'

interface Case {
  readonly what: string
  readonly path: string
  readonly body: () => string
  readonly status: number
  readonly says: RegExp
  readonly model?: Record<string, unknown>
}

const cases: readonly Case[] = [
  { what: '200,000 unknown keys', path: '/v1/validate', body: () => keys(200_000), status: 422, says: /200000 keys/ },
  {
    what: 'a document of 1 million keys',
    path: '/v1/validate',
    body: () => `{"model_json":${keys(1_000_000)}}`,
    status: 422,
    says: /characters/,
  },
  {
    what: 'a document of 200,000 keys',
    path: '/v1/validate',
    body: () => `{"model_json":${keys(200_000)}}`,
    status: 200,
    says: /"valid":false/,
  },
  {
    what: 'a document of 30,000 faults',
    path: '/v1/validate',
    body: () => `{"model_json":{"dimensions":${keys(30_000, '{"dataObject":"Nothing","colum":"x"}')}}}`,
    status: 200,
    says: /more findings are not listed/,
  },
  {
    what: 'a document of 9,000 unknown keys',
    path: '/v1/validate',
    body: () => `{"model_json":${keys(9000, '{"code":"c","abstractType":"int"}')}}`,
    status: 200,
    says: /"valid":false/,
  },
  {
    what: 'an object of 10,000 columns',
    path: '/v1/validate',
    body: () =>
      JSON.stringify({ model_json: wide({ columns: named(10_000, { code: 'c', abstractType: 'int', description: 'd' }) }) }),
    status: 200,
    says: /"valid":true/,
  },
  {
    what: 'an object of 10,000 joins',
    path: '/v1/validate',
    body: () =>
      JSON.stringify({ model_json: wide({ joins: numbers(10_000).map(() => ({ joinType: 'many-to-one', joinTo: 'T' })) }) }),
    status: 200,
    says: /"valid":false/,
  },
  {
    what: 'a deep document',
    path: '/v1/validate',
    body: () => `{"model_json":{"a":${nested(1_000_000)}}}`,
    status: 422,
    says: /./,
  },
  { what: '70,000 unknown keys', path: '/v1/query/sql', body: () => keys(70_000), status: 422, says: /70000 keys/ },
  {
    what: 'a question with 70,000 unknown keys',
    path: '/v1/query/sql',
    body: () => `{"query":${keys(70_000)}}`,
    status: 422,
    says: /70000 keys/,
  },
  {
    what: '100,000 values in a list',
    path: '/v1/query/sql',
    body: () => query(filter(numbers(100_000))),
    status: 422,
    says: /QUERY_TOO_LARGE.*QUERY_MAX_VALUES/,
  },
  {
    what: 'as many values as allowed',
    path: '/v1/query/sql',
    body: () => query(filter(numbers(10_000))),
    status: 200,
    says: /9999/,
  },
  {
    what: 'as many long values as allowed',
    path: '/v1/query/sql',
    body: () =>
      query({ where: [{ field: 'Region', op: 'in', value: numbers(10_000).map((n) => `${n}`.padStart(92, "it's ")) }] }),
    status: 200,
    says: /9999/,
  },
  ...[
    ['a name of 900,000 characters', 'x'.repeat(900_000)],
    ['a name of 450,000 dots', 'a.'.repeat(450_000)],
    ['a name of 300,000 colons', 'a: '.repeat(300_000)],
    ['a name of 225,000 quotes', "a'b ".repeat(225_000)],
  ].flatMap(([what, name]): Case[] =>
    [{ select: { dimensions: [name] } }, { select: { measures: [name] } }, { where: [{ field: name, op: '=', value: 1 }] }].map(
      (asked) => ({
        what: `${what} in ${Object.keys(asked)[0] === 'where' ? 'a condition' : Object.keys(asked.select!)[0]}`,
        path: '/v1/query/sql',
        body: () => query(asked),
        status: 422,
        says: /^.{1,3000}$/s,
      }),
    ),
  ),
  {
    what: '20,000 order keys',
    path: '/v1/query/sql',
    body: () => query({ order_by: numbers(20_000).map(() => ({ field: 'Region' })) }),
    status: 422,
    says: /QUERY_MAX_PARTS/,
  },
  {
    what: 'one order key 400 times',
    path: '/v1/query/sql',
    body: () => query({ order_by: numbers(400).map(() => ({ field: 'Region' })) }),
    status: 200,
    says: /ORDER BY/,
  },
  {
    what: '400 filters',
    path: '/v1/query/sql',
    body: () => query({ where: [{ logic: 'or', filters: numbers(400).map((value) => ({ field: 'Sale Id', op: '=', value })) }] }),
    status: 200,
    says: /399/,
  },
  {
    what: '400 unknown names',
    path: '/v1/query/sql',
    body: () => JSON.stringify({ query: { select: { measures: numbers(400).map((n) => `Revenu${n}`) } } }),
    status: 422,
    says: /Revenu0/,
  },
  {
    what: 'deep brackets',
    path: '/v1/query/sql',
    body: () => `{"query":{"where":${nested(100_000)}}}`,
    status: 422,
    says: /QUERY_TOO_LARGE|INVALID_QUERY/,
  },
  {
    what: 'a chain of 3,000 metrics',
    path: '/v1/query/sql',
    body: () => JSON.stringify({ query: { select: { measures: ['M2999'] } } }),
    status: 422,
    says: /COMPILE_BUDGET.*COMPILE_MAX_STEPS/,
    model: { metrics: chain(3000), examples: [] },
  },
  {
    what: 'a batch of 50 questions',
    path: '/v1/oneshot/batch',
    body: () =>
      JSON.stringify({
        queries: numbers(50).map((n) => ({
          query: { select: { dimensions: ['Region'], measures: ['Revenue'] }, ...filter(numbers(900 + n)) },
        })),
      }),
    status: 200,
    says: /q49/,
  },
  {
    what: 'a statement of as many values as allowed',
    path: STATEMENT,
    body: () => JSON.stringify({ sql: `SELECT "Region", "Revenue" FROM shop WHERE "Sale Id" IN (${numbers(10_000)})` }),
    status: 200,
    says: /9999/,
  },
  {
    what: 'a statement of as many columns as allowed',
    path: STATEMENT,
    body: () => JSON.stringify({ sql: `SELECT ${numbers(1_664).map((n) => `"Region" AS c${n}`)} FROM shop` }),
    status: 200,
    says: /c1663/,
  },
  {
    what: 'a statement of 9,000 columns',
    path: STATEMENT,
    body: () => JSON.stringify({ sql: `SELECT ${'"Region",'.repeat(9000)} "Region" FROM shop` }),
    status: 422,
    says: /1664 columns/,
  },
  {
    what: 'a statement of 5,000 pairs',
    path: STATEMENT,
    body: () =>
      JSON.stringify({ sql: `SELECT "Region" FROM shop WHERE 1 IN (${numbers(5_000).map((n) => `("Sale Id",${n})`)})` }),
    status: 422,
    says: /too many parts/,
  },
  {
    what: 'a statement of 4,000 conditions',
    path: STATEMENT,
    body: () =>
      JSON.stringify({
        sql: `SELECT "Region" FROM shop WHERE ${numbers(4_000)
          .map((n) => `"Sale Id"=${n}`)
          .join(' OR ')}`,
      }),
    status: 422,
    says: /too many parts/,
  },
  {
    what: 'a statement of 2,500 conditions',
    path: STATEMENT,
    body: () =>
      JSON.stringify({
        sql: `SELECT "Region" FROM shop WHERE ${numbers(2_500)
          .map((n) => `"Sale Id"=${n}`)
          .join(' OR ')}`,
      }),
    status: 422,
    says: /QUERY_MAX_PARTS/,
  },
  {
    what: 'a long statement that is wrong at its end',
    path: STATEMENT,
    body: () => JSON.stringify({ sql: `SELECT "Region" FROM shop WHERE "Sale Id" IN (${numbers(15_000)}` }),
    status: 422,
    says: /SQL_SYNTAX_ERROR/,
  },
  {
    what: 'DESCRIBE with 90,000 blanks',
    path: STATEMENT,
    body: () => JSON.stringify({ sql: `DESCRIBE a${blanks(90_000)}b` }),
    status: 422,
    says: /RAW_SQL_REJECTED/,
  },
  {
    what: 'an array of 90,000 blanks',
    path: STATEMENT,
    body: () => JSON.stringify({ sql: `SELECT "Region" FROM shop WHERE "Region" = ANY('{${blanks(90_000)}')` }),
    status: 422,
    says: /./,
  },
  {
    what: 'a pattern of 100,000 backslashes',
    path: '/v1/query/sql',
    body: () => query({ where: [{ field: 'Region', op: 'like', value: `${'\\'.repeat(100_000)}x` }] }),
    status: 200,
    says: /LIKE/,
  },
  {
    what: 'a duration of 100,000 blanks',
    path: '/v1/validate',
    body: () => JSON.stringify({ model_json: { metrics: { C: { type: 'conversion', window: `1${blanks(100_000)}x` } } } }),
    status: 200,
    says: /"valid":false/,
  },
  {
    what: 'a document of 100,000 faults',
    path: '/v1/validate',
    body: () => `{"model_json":{"dimensions":${keys(100_000)}}}`,
    status: 200,
    says: /more findings are not listed/,
  },
  {
    what: 'a body of long texts',
    path: '/v1/find',
    body: () => JSON.stringify({ query: 'x'.repeat(900_000) }),
    status: 422,
    says: /./,
  },
]

async function served(t: Test, model: Record<string, unknown>, options: TestOptions = compiling) {
  const server = await startRest({ ...options, settings: { ...options.settings, COMPILE_CACHE_MAX_ENTRIES: 0 } })
  t.teardown(() => server.close())
  await server.shop(model)
  return server.app.listen({ port: 0 })
}

for (const { what, path, body, status, says, model = {} } of oneIn(4, cases)) {
  t.test(`${what} at ${path} delay no other client`, async (t) => {
    holds(t, 'operation.turns')
    const address = await served(t, model)
    const sent = body()
    const best = await bestOf(async () => {
      const answer = await postFromElsewhere(address + path, sent)
      t.equal(answer.status, status, answer.text.slice(0, 300))
      t.match(answer.text, says)
      t.ok(status === 200 || answer.text.length < 100_000, 'a refusal is short')
    })
    keepsTurns(t, best)
  })
}

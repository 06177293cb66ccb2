/** Limits on the concurrent requests of one client, and on the size of an answer; each error names its setting. */
import vendor from '@grainline/vendor-duckdb'
import t, { type Test } from 'tap'
import { holds } from '../specification/holds.js'
import { dialects, startRest, type TestServer } from './server.js'

const MODEL = {
  version: 1,
  name: 'things',
  dataObjects: {
    Things: { code: 'things', columns: { N: { code: 'n', abstractType: 'int' }, Bad: { code: 'bad', abstractType: 'int' } } },
  },
  dimensions: { N: { dataObject: 'Things', column: 'N' }, Bad: { dataObject: 'Things', column: 'Bad' } },
}
const INIT = ["CREATE VIEW things AS SELECT range AS n, CASE WHEN range < 0 THEN 1 ELSE error('bad') END AS bad FROM range(30)"]

async function serving(t: Test, settings: Record<string, unknown>) {
  const server = await startRest({
    plugins: [...dialects, { use: vendor, with: { init: INIT } }],
    settings: { QUERY_EXECUTE: true, ...settings },
  })
  t.teardown(() => server.close())
  const session_id = (await server.post('/v1/sessions')).body.session_id
  await server.post(`/v1/sessions/${session_id}/models`, { model_json: MODEL })
  return { server, session_id }
}

const askedOf = ({ server, session_id }: { readonly server: TestServer; readonly session_id: string }) => ({
  rows: (limit: number, dimension = 'N') =>
    server.post('/v1/query/execute', { session_id, query: { select: { dimensions: [dimension] }, limit } }),
})

t.test('an answer stays within the limits of rows and bytes', async (t) => {
  holds(t, 'setting.ANSWER_MAX_ROWS', 'setting.ANSWER_MAX_BYTES')
  const few = askedOf(await serving(t, { ANSWER_MAX_ROWS: 20 }))
  t.match(await few.rows(20), { status: 200 })
  t.match(await few.rows(21), { status: 422, body: { code: 'ANSWER_TOO_LARGE', hint: /ANSWER_MAX_ROWS/ } })
  const small = askedOf(await serving(t, { ANSWER_MAX_BYTES: 100 }))
  t.match(await small.rows(5), { status: 200 })
  t.match(await small.rows(25), { status: 422, body: { code: 'ANSWER_TOO_LARGE', hint: /ANSWER_MAX_BYTES/ } })
})

t.test('a statement that has ended, in any way, frees its place for the next one', async (t) => {
  holds(t, 'setting.CLIENT_MAX_STATEMENTS')
  const { rows } = askedOf(await serving(t, { CLIENT_MAX_STATEMENTS: 1, ANSWER_MAX_ROWS: 20 }))
  for (let i = 0; i < 3; i++) {
    t.match(await rows(5, 'Bad'), { status: 502, body: { code: 'DATABASE_ERROR' } })
    t.match(await rows(30), { status: 422, body: { code: 'ANSWER_TOO_LARGE' } })
  }
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => rows(i + 1)))
  t.same(
    answers.map(({ status }) => status),
    answers.map(() => 200),
    'and all who wait are answered',
  )
})

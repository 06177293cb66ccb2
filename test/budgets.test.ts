/** The requests of one client are bounded equally on every surface, and each error names its setting. */
import { connectFlightSql } from '@grainline/flight-sql'
import t, { type Test } from 'tap'
import { startEverySurface } from './every-surface.js'
import { rowsOf } from './flight/rows-of.js'
import { agentOver } from './mcp/served.js'
import { ask, connectReady } from './pgwire/raw-client.js'

t.setTimeout(300_000)

type Ask = (sql: string) => Promise<string>
/** Surfaces that accept query objects but no SQL: agents and the web page. */
type AskQuestion = (question: Readonly<Record<string, unknown>>) => Promise<string>

/** The answer of each surface to a statement, as text. */
async function surfaces(t: Test, settings: Record<string, unknown>): Promise<Surfaces> {
  const server = await startEverySurface(settings)
  t.teardown(() => server.close())
  const wire = await connectReady(server.wire, { database: 'flights' })
  const flight = await connectFlightSql({ host: '127.0.0.1', port: server.flight })
  const agent = await agentOver(t, `${server.url}/v1/mcp`)
  t.teardown(() => {
    wire.end()
    flight.close()
  })
  const rest: Ask = async (sql) => {
    const answer = await fetch(`${server.url}/v1/sessions/flights/query/semantic-ql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sql }),
    })
    return answer.text()
  }
  const overWire: Ask = async (sql) => (await ask(wire, sql)).map(({ body }) => body.toString('utf8')).join('\n')
  const overFlight: Ask = async (sql) => {
    try {
      const rows = await rowsOf(await flight.query(sql))
      return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    } catch (error) {
      return (error as Error).message
    }
  }
  const sql = { rest, wire: overWire, flight: overFlight }
  const models = await fetch(`${server.url}/v1/sessions/flights/models`)
  const [{ model_id } = { model_id: '' }] = (await models.json()) as { readonly model_id: string }[]
  const page: AskQuestion = async ({ dimensions, measures, ...rest }) => {
    const answer = await fetch(`${server.url}/ui/api/v1/sessions/flights/query/execute`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-grainline-ui': '1' },
      body: JSON.stringify({ model_id, query: { select: { dimensions, measures }, ...rest } }),
    })
    return answer.text()
  }
  return { sql, questions: { agent: async (question) => (await agent.call('query', question)).text, page } }
}

interface Surfaces {
  readonly sql: Readonly<Record<string, Ask>>
  readonly questions: Readonly<Record<string, AskQuestion>>
}

const CODES = 'SELECT "Destination Code", "Flight Count" FROM flights'
const MANY = ['Airline', 'Destination Code', 'Origin Code', 'Status', 'Month', 'Miles', 'Manufacturer']
const CARRIERS = "'United Air Lines Inc.', 'JetBlue Airways', 'Delta Air Lines Inc.'"

t.test('rows and values', async (t) => {
  const { sql, questions } = await surfaces(t, { ANSWER_MAX_ROWS: 20, QUERY_MAX_VALUES: 2, SQL_DEFAULT_LIMIT: 10 })
  for (const [name, say] of Object.entries(sql)) {
    t.match(await say(`${CODES} LIMIT 20`), /ATL/, `${name} answers what is within its budgets`)
    t.match(await say(`${CODES} LIMIT 21`), /ANSWER_MAX_ROWS/, name)
    t.match(await say(`${CODES} WHERE "Airline" IN (${CARRIERS})`), /QUERY_MAX_VALUES/, name)
    // Over HTTP an answer can say that it is truncated.
    if (name !== 'rest') t.match(await say(CODES), /SQL_DEFAULT_LIMIT/, name)
  }
  const question = { dimensions: ['Destination Code'], measures: ['Flight Count'] }
  const filters = [{ field: 'Airline', op: 'in', value: ['a', 'b', 'c'] }]
  for (const [name, say] of Object.entries(questions)) {
    t.match(await say({ ...question, limit: 20 }), /ATL/, `${name} answers what is within its budgets`)
    t.match(await say({ ...question, limit: 21 }), /ANSWER_MAX_ROWS/, name)
    t.match(await say({ ...question, where: filters }), /QUERY_MAX_VALUES/, name)
  }
})

t.test('bytes and parts', async (t) => {
  const { sql, questions } = await surfaces(t, { ANSWER_MAX_BYTES: 200, QUERY_MAX_PARTS: 6 })
  for (const [name, say] of Object.entries(sql)) {
    t.match(await say(`${CODES} LIMIT 50`), /ANSWER_MAX_BYTES/, name)
    t.match(await say(`SELECT ${MANY.map((name) => `"${name}"`)} FROM flights`), /QUERY_MAX_PARTS/, name)
  }
  for (const [name, say] of Object.entries(questions)) {
    t.match(await say({ dimensions: ['Destination Code'], measures: ['Flight Count'], limit: 50 }), /ANSWER_MAX_BYTES/, name)
    t.match(await say({ dimensions: MANY }), /QUERY_MAX_PARTS/, name)
  }
})

t.test('time', async (t) => {
  const crossed = Array.from({ length: 7 }, (_, i) => `(SELECT DISTINCT "Destination Code" AS d FROM flights) AS t${i}`)
  const endless = `SELECT count(*) FROM ${crossed.join(' CROSS JOIN ')} WHERE t0.d || t1.d || t6.d = 'never'`
  const { sql } = await surfaces(t, {
    REST_QUERY_TIMEOUT_SECONDS: 1,
    FLIGHT_QUERY_TIMEOUT_SECONDS: 1,
    PGWIRE_QUERY_TIMEOUT_SECONDS: 1,
  })
  const named = {
    rest: /REST_QUERY_TIMEOUT_SECONDS/,
    wire: /PGWIRE_QUERY_TIMEOUT_SECONDS/,
    flight: /FLIGHT_QUERY_TIMEOUT_SECONDS/,
  }
  const said = await Promise.all(Object.values(sql).map((say) => say(endless)))
  for (const [i, [name, pattern]] of Object.entries(named).entries()) t.match(said[i], pattern, name)
})

t.test('steps of compiling', async (t) => {
  const { sql, questions } = await surfaces(t, { COMPILE_MAX_STEPS: 1 })
  for (const [name, say] of Object.entries(sql)) t.match(await say(`${CODES} LIMIT 1`), /COMPILE_MAX_STEPS/, name)
  for (const [name, say] of Object.entries(questions))
    t.match(await say({ dimensions: ['Destination Code'], measures: ['Flight Count'] }), /COMPILE_MAX_STEPS/, name)
})

/** The typed client with a server that listens, and with one that is busy. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError, createClient } from '@grainline/client'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { executing, startRest } from '../rest/server.js'

const server = await startRest(executing)
t.teardown(() => server.close())
const baseUrl = await server.app.listen({ host: '127.0.0.1', port: 0 })

const sales = (rows: string, name: string) => `
name: ${name}
dataObjects:
  Sales:
    code: (SELECT * FROM ${rows})
    columns:
      Id: {code: id, abstractType: int, primaryKey: true}
      Country: {code: country, abstractType: string}
      Amount: {code: amount, abstractType: float, numClass: additive}
dimensions:
  Country: {dataObject: Sales, column: Country, status: certified}
  Id: {dataObject: Sales, column: Id}
measures:
  Revenue: {aggregation: sum, columns: [{dataObject: Sales, column: Amount}], dataType: 'decimal(18, 2)'}
`
const few = sales(`(VALUES (1, 'FR', 1.5), (2, 'DE', 2.25), (3, 'FR', 0.5)) t (id, country, amount)`, 'sales')
const digits = `(VALUES ${[...'0123456789'].map((digit) => `(${digit})`).join(', ')})`
const thousands = '(VALUES (0), (1), (2), (3), (4)) a (digit)'
const places = [thousands, ...['b', 'c', 'd'].map((name) => `${digits} ${name} (digit)`)].join(' CROSS JOIN ')
const id = '1000 * a.digit + 100 * b.digit + 10 * c.digit + d.digit'
const many = sales(`(SELECT ${id} AS id, 'x' AS country, 1.0 AS amount FROM ${places})`, 'large')

const { session_id } = (await server.post('/v1/sessions')).body
const load = async (model_yaml: string) =>
  (await server.post(`/v1/sessions/${session_id}/models`, { model_yaml })).body.model_id as string
const [model_id, large] = [await load(few), await load(many)]
const client = createClient({ baseUrl: `${baseUrl}/`, session_id, model_id })
const question = {
  select: { dimensions: ['Country'], measures: ['Revenue'] },
  order_by: [{ field: 'Country' }],
} as const

t.test('an answer contains rows as objects and the metadata of the server', async (t) => {
  const answer = await client.query(question, { receipt: true })
  t.same(answer.rows, [
    { Country: 'DE', Revenue: '2.25' },
    { Country: 'FR', Revenue: '2.00' },
  ])
  t.match(answer, { row_count: 2, truncated: false, columns: [{ name: 'Country' }, { name: 'Revenue', encoding: 'string' }] })
  t.match(answer.receipt?.definitions, [{ name: 'Country', status: 'certified' }, { name: 'Revenue' }])
  t.same((await client.sql.query('SELECT Country FROM sales ORDER BY 1')).rows, [{ Country: 'DE' }, { Country: 'FR' }])
  t.match((await client.compile(question, { dialect: 'postgres' })).sql, /^SELECT/)
})

t.test('the rows behind a number are objects, too', async (t) => {
  const { reconciled, facts } = await client.rowsBehind(question, { cell: { Country: 'FR' }, measure: 'Revenue' })
  t.equal(reconciled, true)
  t.same(
    facts[0]?.rows.map((row) => [row['Sales.Id'], row['Sales.Amount']]),
    [
      [1, 1.5],
      [3, 0.5],
    ],
  )
})

t.test('rows are streamed as NDJSON and as Arrow, and a loop may end early', async (t) => {
  const all = client.of({ session_id, model_id: large })
  const asked = { select: { dimensions: ['Id'] }, limit: 10_000 } as const
  let sum = 0
  for await (const row of all.rows(asked)) sum += Number(row.Id)
  t.equal(sum, (4999 * 5000) / 2)
  for await (const row of all.rows(asked)) {
    t.type(row.Id, 'number')
    break
  }
  const table = tableFromIPC(await all.bytes(asked, 'arrow'))
  t.equal((await table).numRows, 5000)
})

t.test('every other call about a model', async (t) => {
  t.match(await client.schema(), { dimensions: [{ name: 'Country', status: 'certified' }, { name: 'Id' }] })
  t.match(await client.find('countries'), { results: [{ name: 'Country', kind: 'dimension' }] })
  t.match(await client.values('Country', { limit: 1 }), { values: [{ value: 'FR', count: 2 }], truncated: true })
  t.match(await client.explain('Revenue'), { type: 'measure' })
  t.match(await client.composables({ select: { measures: ['Revenue'] } }), { dimensions: ['Country', 'Id'] })
  t.same((await client.joinGraph()).edges, [])
  t.match(await client.diagram({ columns: false }), /^erDiagram|erDiagram/)
  t.same((await client.examples()).examples, [])
  t.same(await client.models(), [])
  t.match(await client.validate('dataObjects: 3'), { valid: false })
})

t.test('an error has the details that the server sent', async (t) => {
  const refused = client.query({ select: { measures: ['Revenu'] } })
  await t.rejects(refused, { name: 'ApiError', code: 'UNKNOWN_MEASURE', status: 422, problem: { suggestions: ['Revenue'] } })
  const cut = await busy((response) => response.destroy())
  await t.rejects(createClient({ baseUrl: cut.baseUrl }).models(), {
    code: 'SERVER_UNREACHABLE',
    status: 0,
    message: /does not answer: other side closed|socket hang up|ECONNRESET/,
  })
})

t.test('an aborted call rejects with the reason of its signal', async (t) => {
  const reason = new Error('enough')
  await t.rejects(client.query(question, { signal: AbortSignal.abort(reason) }), reason)
})

/** A server that answers each request with the next entry of `answers`. */
async function busy(...answers: ((response: ServerResponse, request: IncomingMessage) => void)[]) {
  const seen: IncomingMessage[] = []
  const listener = http.createServer((request, response) => {
    seen.push(request)
    answers[Math.min(seen.length, answers.length) - 1]!(response, request)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  t.teardown(() => listener.close())
  return { seen, baseUrl: `http://127.0.0.1:${(listener.address() as AddressInfo).port}` }
}
const refuse = (status: number, headers: Record<string, string>) => (response: ServerResponse) =>
  response.writeHead(status, headers).end('{"code":"RATE_LIMITED","detail":"Later"}')
const models = (response: ServerResponse) => response.writeHead(200).end('{"models":[],"count":0}')

t.test('a request to a busy server is sent again after the time that it names, up to the limit', async (t) => {
  const past = new Date(0).toUTCString()
  const server = await busy(refuse(429, { 'retry-after': '0' }), refuse(503, { 'retry-after': past }), models)
  t.same(await createClient({ baseUrl: server.baseUrl, apiKey: 'secret' }).models(), [])
  t.same(
    server.seen.map(({ headers }) => headers.authorization),
    ['Bearer secret', 'Bearer secret', 'Bearer secret'],
  )
  const never = await busy(refuse(429, { 'retry-after': '0' }))
  const client = createClient({ baseUrl: never.baseUrl, retries: 2, apiKey: 'secret', apiKeyHeader: 'X-API-Key' })
  await t.rejects(client.models(), { code: 'RATE_LIMITED', status: 429 })
  t.same(
    never.seen.map(({ headers }) => headers['x-api-key']),
    ['secret', 'secret', 'secret'],
  )
})

t.test('the signal ends the wait for a busy server', async (t) => {
  const controller = new AbortController()
  const server = await busy((response) => {
    refuse(503, { 'retry-after': '3000' })(response)
    response.on('close', () => setImmediate(() => controller.abort(new Error('stop'))))
  })
  await t.rejects(createClient({ baseUrl: server.baseUrl }).models({ signal: controller.signal }), { message: 'stop' })
})

t.test('an error that does not come from the API contains the body that arrived', async (t) => {
  const server = await busy((response) => response.writeHead(418).end('I am a teapot'))
  const error = await createClient({ baseUrl: server.baseUrl })
    .models()
    .catch((e: unknown) => e)
  t.ok(error instanceof ApiError)
  t.match(error, { code: 'HTTP_418', message: /418: I am a teapot/ })
})

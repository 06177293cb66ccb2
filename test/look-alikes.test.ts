/** Names that look alike: the author of the model gets a warning, and every surface returns them unchanged, each with its own numbers. */
import { connectFlightSql } from '@grainline/flight-sql'
import t from 'tap'
import { startEverySurface } from './every-surface.js'
import { rowsOf as flightRows } from './flight/rows-of.js'
import { ask, connectReady, rowsOf } from './pgwire/raw-client.js'

t.setTimeout(300_000)

/** The e is Cyrillic. */
const ALIKE = 'R\u0435venue'
const column = { dataObject: 'Sales', column: 'Amount' }
const model = (names: Readonly<Record<string, string>>) => ({
  version: 1,
  name: 'alike',
  dataObjects: {
    Sales: {
      code: '(SELECT * FROM (VALUES (1), (2)) AS t (amount))',
      columns: { Amount: { code: 'amount', abstractType: 'int' } },
    },
  },
  measures: Object.fromEntries(
    Object.entries(names).map(([name, aggregation]) => [name, { columns: [column], resultType: 'int', aggregation }]),
  ),
})

t.test('an author gets a warning for names that look alike, and for invisible characters', async (t) => {
  const server = await startEverySurface({})
  t.teardown(() => server.close())
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: what a server answers is looked into freely by tests.
    return (await answer.json()) as any
  }
  const warned = async (names: Readonly<Record<string, string>>) => {
    const { warnings = [] } = await post('/v1/validate', { model_json: model(names) })
    return (warnings as { readonly code: string; readonly message: string }[])
      .filter(({ code }) => code === 'CONFUSABLE_NAME')
      .map(({ message }) => message)
      .join('; ')
  }
  t.match(await warned({ Revenue: 'sum', [ALIKE]: 'max' }), /looks like 'Revenue'/)
  t.match(await warned({ Revenue: 'sum', 'Reve\u200bnue': 'max' }), /'ReveU\+200Bnue' contains U\+200B.*looks like 'Revenue'/)
  t.match(await warned({ '\u202eeuneveR': 'sum' }), /U\+202E/)
  t.equal(await warned({ Revenue: 'sum', 'Highest Revenue': 'max' }), '', 'renamed in letters of one script')
  t.match(await warned({ '\u00dcber': 'sum', 'U\u0308ber': 'max' }), /looks like/, 'composed or not')
  for (const fine of [
    'Umsatz',
    '\u0412\u044b\u0440\u0443\u0447\u043a\u0430',
    '\u58f2\u4e0a',
    '\u0645\u06cc\u200c\u0634\u0648\u062f',
    '\u2728',
  ])
    t.equal(await warned({ [fine]: 'sum' }), '', fine)

  const { session_id } = await post('/v1/sessions', {})
  const loaded = await post(`/v1/sessions/${session_id}/models`, { model_json: model({ Revenue: 'sum', [ALIKE]: 'max' }) })
  t.match(loaded.warnings, [{ code: 'CONFUSABLE_NAME' }])
  const asked = async (name: string) =>
    (await post('/v1/query/execute', { session_id, query: { select: { measures: [name] } } })).rows
  t.same([await asked('Revenue'), await asked(ALIKE)], [[[3]], [[2]]], 'each name has its own number')
  const sql = `SELECT "Revenue" AS a, "${ALIKE}" AS b FROM alike`
  const overHttp = await post(`/v1/sessions/${session_id}/query/semantic-ql`, { sql: sql.replace('alike', 'alike') })
  t.same(overHttp.rows, [[3, 2]])
})

t.test('names that look alike are distinct on the wires', async (t) => {
  const server = await startEverySurface({})
  t.teardown(() => server.close())
  const wire = await connectReady(server.wire, { database: 'flights' })
  const flight = await connectFlightSql({ host: '127.0.0.1', port: server.flight })
  t.teardown(() => {
    wire.end()
    flight.close()
  })
  const alike = 'SELECT "Flight C\u043eunt" FROM flights LIMIT 1'
  const refused = (await ask(wire, alike)).find(({ type }) => type === 'E')?.body.toString('utf8') ?? ''
  t.match(refused, /Flight C\u043eunt/, 'the refusal names it as it was written')
  await t.rejects(async () => flightRows(await flight.query(alike)), { message: /Flight C\u043eunt/ })
  t.equal(rowsOf(await ask(wire, 'SELECT "Flight Count" FROM flights LIMIT 1')).length, 1)
})

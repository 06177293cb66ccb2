/** SET "parameter.X" on the Postgres wire (decision 270). */
import t from 'tap'
import { ask, connectReady, errorOf, rowsOf } from './raw-client.js'
import { duckdb, startPgwire } from './server.js'

const server = await startPgwire({
  preload: [{ session: 'shop', model: '../parameters/shop.yaml' }],
  plugins: [...(duckdb ?? []), '@grainline/evaluator-duckdb'],
})
t.teardown(() => server.close())
const client = await connectReady(server.port)
t.teardown(() => client.end())

const PLANNED = 'SELECT "Planned" FROM shop'
const planned = async (text = PLANNED) => rowsOf(await ask(client, text))[0]?.[0]

t.test('a value holds for later statements, and RESET and DISCARD remove it', async (t) => {
  t.equal(await planned(), '54.00', 'the default')
  await ask(client, `SET "parameter.Growth" = '0.25'`)
  t.equal(await planned(), '45.00')
  t.equal(await planned('SELECT "Planned" FROM shop(growth => 0)'), '36.00', 'FROM wins')
  t.same(rowsOf(await ask(client, 'SHOW "parameter.Growth"')), [['0.25']])
  await ask(client, 'RESET ALL')
  t.equal(await planned(), '54.00')
  await ask(client, `SET "parameter.Growth" TO 1`)
  t.equal(await planned(), '72.00')
  await ask(client, 'DISCARD ALL')
  t.equal(await planned(), '54.00')
  await ask(client, `BEGIN`)
  await ask(client, `SET LOCAL "parameter.Growth" = 0`)
  t.equal(await planned(), '36.00')
  await ask(client, `COMMIT`)
  t.equal(await planned(), '54.00')
})

t.test('a prepared statement reads the value when it is executed', async (t) => {
  await ask(client, `PREPARE plan AS ${PLANNED}`)
  await ask(client, `SET "parameter.Growth" = 0`)
  t.equal(await planned('EXECUTE plan'), '36.00')
  await ask(client, `SET "parameter.Growth" = 1`)
  t.equal(await planned('EXECUTE plan'), '72.00')
  await ask(client, 'RESET "parameter.Growth"')
  t.equal(await planned('EXECUTE plan'), '54.00')
})

t.test('a list has commas or is JSON', async (t) => {
  for (const [value, sum] of [
    [`'N', 'S'`, '35'],
    [`'N'`, '30'],
    [`'["S"]'`, '5'],
    [`''`, null],
  ] as const) {
    await ask(client, `SET "parameter.Regions" = ${value}`)
    t.equal(await planned('SELECT "Of Regions" FROM shop'), sum, value)
  }
  await ask(client, 'RESET ALL')
})

t.test('unknown names and wrong values are refused', async (t) => {
  t.match(errorOf(await ask(client, `SET "parameter.Grow" = 1`)), { C: '42704', M: /"Grow"/, H: /parameter\.Growth/ })
  await ask(client, `SET "parameter.Growth" = 7`)
  t.match(errorOf(await ask(client, PLANNED)), { M: /greatest value of 'Growth'/ })
  await ask(client, 'RESET ALL')
  t.match(errorOf(await ask(client, 'SELECT "Of Regions" FROM shop')), { M: /'Regions'/ })
})

/** The catalogue of models as information_schema, the same on every surface. */
import t from 'tap'
import { flightsHost } from './ask.js'

const flights = await flightsHost()
t.teardown(() => flights.close())
const { model } = flights.service.listModels('flights')[0]!

t.test('schemata, tables and columns equal those of the catalogue of the Postgres wire', async (t) => {
  const relations = await flights.service.sqlRelations(model)
  t.same((await flights.ask('SELECT schema_name FROM information_schema.schemata ORDER BY 1 DESC')).rows, [
    ['flights'],
    ['again'],
  ])
  t.same(
    (await flights.ask(`SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'flights' ORDER BY 1`))
      .rows,
    relations.map(({ suffix }) => [`flights${suffix}`, 'BASE TABLE']).toSorted(),
  )
  const columns = await flights.ask(
    `SELECT c.column_name, c.data_type FROM information_schema.columns AS c JOIN information_schema.tables t USING (table_name)
     WHERE t.table_name = 'flights' ORDER BY c.ordinal_position`,
  )
  t.same(
    columns.rows.map(([name]) => name),
    relations[0]!.columns.map(({ name }) => name),
  )
  t.ok(columns.rows.some(([name, type]) => name === 'Flight Count' && type === 'bigint'))
  const star = await flights.ask(`SELECT * FROM information_schema.columns WHERE column_name = 'Date' LIMIT 1`)
  t.equal(star.columns[0], 'table_catalog')
  t.equal(star.rows[0]![star.columns.indexOf('data_type')], 'date')
  const counted = `SELECT table_schema, count(*) AS n FROM information_schema.tables GROUP BY table_schema ORDER BY 1`
  t.same((await flights.ask(counted)).rows, [
    ['again', relations.length],
    ['flights', relations.length],
  ])
  t.equal(star.compiled.kind, 'catalogue')
})

t.test('unknown system tables are refused with the known ones', async (t) => {
  for (const sql of ['SELECT * FROM pg_catalog.pg_class', 'SELECT * FROM information_schema.views']) {
    const { code, details } = await flights.refusalOf(sql)
    t.equal(code, 'UNSUPPORTED_SQL_FEATURE')
    t.match(details.hint, /information_schema\.tables/)
  }
})

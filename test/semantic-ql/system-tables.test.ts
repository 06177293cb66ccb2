/** The catalogue of models as information_schema, the same on every surface. */
import t from 'tap'
import { flightsHost } from './ask.js'

const flights = await flightsHost()
t.teardown(() => flights.close())
const { model } = flights.service.listModels('flights', undefined)[0]!

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

t.test('grainline.fields says what the columns are', async (t) => {
  const { columns, rows } = await flights.ask(
    `SELECT field_name, role, aggregation, adds_up, expression, format FROM grainline.fields WHERE table_schema = 'flights'
     AND table_name = 'flights' AND field_name IN ('Airline', 'Flight Count', 'Planes Flown', 'Late Rate') ORDER BY ordinal_position`,
  )
  t.same(columns, ['field_name', 'role', 'aggregation', 'adds_up', 'expression', 'format'])
  t.same(rows, [
    ['Airline', 'dimension', null, null, '"Airline"', null],
    ['Planes Flown', 'measure', 'count_distinct', 'NO', 'MEASURE("Planes Flown")', '#,##0'],
    ['Flight Count', 'measure', 'count', 'YES', 'MEASURE("Flight Count")', null],
    ['Late Rate', 'metric', null, 'NO', 'MEASURE("Late Rate")', '0.0%'],
  ])
  const [[same]] = (
    await flights.ask(
      `SELECT count(*) FROM grainline.fields f JOIN information_schema.columns c ON c.table_schema = f.table_schema
       AND c.table_name = f.table_name AND c.column_name = f.field_name AND c.data_type = f.data_type`,
    )
  ).rows as [[number]]
  t.equal((await flights.ask('SELECT count(*) FROM grainline.fields')).rows[0]![0], same, 'they are the columns of the catalogue')
  const expressions = rows.map((row) => row[4])
  const { rows: few } = await flights.ask(`SELECT ${expressions.join(', ')} FROM flights GROUP BY 1 LIMIT 2`)
  t.equal(few.length, 2, 'each can be selected as it is written')
})

t.test('unknown system tables are refused with the known ones', async (t) => {
  for (const sql of ['SELECT * FROM pg_catalog.pg_class', 'SELECT * FROM information_schema.views']) {
    const { code, details } = await flights.refusalOf(sql)
    t.equal(code, 'UNSUPPORTED_SQL_FEATURE')
    t.match(details.hint, /information_schema\.tables/)
  }
})

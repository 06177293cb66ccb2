/** The first statements of people and tools: `SELECT *`, a few rows of it, and no rows of it. */
import { createHost } from '@grainline/core'
import { valueAt } from '@grainline/core/vendor'
import duckdbDialect from '@grainline/dialect-duckdb'
import evaluator from '@grainline/evaluator-duckdb'
import semanticQl from '@grainline/semantic-ql'
import duckdb from '@grainline/vendor-duckdb'
import t from 'tap'
import { amount } from '../support/amount.js'
import { fewFlightsHost } from './ask.js'
import { canonical, fewByHand } from './by-hand.js'

const flights = await fewFlightsHost()
const tables = await fewByHand()
t.teardown(async () => {
  tables.close()
  await flights.close()
})
const { service } = flights
const { model } = service.listModels('flights', undefined)[0]!

t.test('the columns are those of the catalogue, in the same order', async (t) => {
  const [main, ...further] = await service.sqlRelations(model)
  const listed = main!.columns.map((column) => column.name)
  t.same((await flights.ask('SELECT * FROM flights WHERE 1=0')).columns, listed)
  t.same((await flights.ask('SELECT * FROM flights LIMIT 1')).columns, listed)
  t.ok(listed.includes('Airline') && listed.includes('Flight Count') && listed.includes('Late Rate'))
  t.notOk(listed.includes('Observed At') || listed.includes('Rainfall'), 'what the flights do not reach is of another relation')
  t.same(further.map(({ suffix }) => suffix).toSorted(), ['__Hours', '__Planes', '__Weather'])
  const weather = further.find(({ suffix }) => suffix === '__Weather')!
  t.same(
    (await flights.ask('SELECT * FROM flights__weather WHERE 1=0')).columns,
    weather.columns.map((column) => column.name),
  )
})

t.test('a column that a preview omits can be selected by name', async (t) => {
  const { compiled } = await flights.ask('SELECT * FROM flights LIMIT 5')
  t.match(compiled.warnings.at(-1), { code: 'PREVIEW_LEFT_OUT', path: 'sql', message: /'All Flights'/, hint: /by name/ })
  const named = await flights.ask('SELECT "Airline", "All Flights" FROM flights GROUP BY 1 LIMIT 5')
  t.same(named.compiled.warnings, [])
  const [[flown]] = (await tables.rows('SELECT count(*) FROM f')) as [[number]]
  for (const [, all] of named.rows) t.equal(Number(all), flown)
})

t.test('the few rows have the numbers of their groups', async (t) => {
  for (const sql of [
    'SELECT * FROM flights LIMIT 5',
    `SELECT * FROM flights WHERE "Airline" = 'JetBlue Airways' ORDER BY "Date" DESC LIMIT 5`,
  ]) {
    const { columns, rows, compiled } = await flights.ask(sql)
    t.equal(rows.length, 5, sql)
    t.match(compiled.warnings.at(-1), { code: 'PREVIEW_LEFT_OUT', message: /'All Flights'/ })
    for (const row of rows) {
      const value = (name: string) => row[columns.indexOf(name)]
      t.equal(value('All Flights'), null, 'what looks beyond its row is left out')
      const keys = [
        ['tailnum', 'Tail Number'],
        ['dest', 'Destination Code'],
        ['hour', 'Scheduled Hour'],
      ] as const
      const where = keys.map(
        ([column, name]) => `${column} IS NOT DISTINCT FROM ${value(name) === null ? 'NULL' : `'${value(name)}'`}`,
      )
      const [wanted] = await tables.rows(
        `SELECT count(*), sum(dep_delay), avg(arr_delay) FROM f WHERE on_day = DATE '${value('Date')}' AND ${where.join(' AND ')}`,
      )
      const own = ['Flight Count', 'Departure Delay Minutes', 'Average Arrival Delay'].map((name) => canonical(value(name)))
      t.same(own, wanted, `${where.join(' AND ')}`)
    }
  }
})

t.test('most columns by their names are a preview, too', async (t) => {
  const { columns } = await flights.ask('SELECT * FROM flights WHERE 1=0')
  const some = columns.slice(2).map((name) => `"${name}"`)
  const { rows, compiled } = await flights.ask(`SELECT ${some.join(', ')} FROM flights LIMIT 7`)
  t.equal(rows.length, 7)
  t.match(compiled.warnings.at(-1), { code: 'PREVIEW_LEFT_OUT' })
  await t.rejects(flights.ask('SELECT *, "Rainfall" FROM flights LIMIT 1'), { code: 'NO_JOIN_PATH' }, 'no internal error')
})

t.test('a subselect of all columns is the model again, with its conditions', async (t) => {
  const sum = `SELECT SUM("t1"."Flight Count"), COUNT(*) FROM (SELECT * FROM flights WHERE flights."Airline" LIKE 'J%') "t1" WHERE t1."Origin Code" = 'JFK'`
  const wanted = await tables.rows(`SELECT count(*), count(*) FROM f WHERE airline LIKE 'J%' AND origin = 'JFK'`)
  t.same((await flights.ask(sum)).rows, wanted)
  const { rows } = await flights.ask('SELECT "Airline" FROM (SELECT * FROM flights LIMIT 7) AS t')
  t.equal(rows.length, 7)
})

t.test('without a limit all rows are read: the first ones first, and none of them twice', async (t) => {
  // A month has the same two parts as the year.
  const [condition, meant] = amount([`WHERE "Date" < '2013-02-01'`, 'WHERE month = 1'], ['', ''])
  const [[flights]] = (await tables.rows(`SELECT count(*) FROM f ${meant}`)) as [[number]]
  const { schema, batches } = await service.executeSql(
    { asker: undefined, target: { sessionId: 'flights' }, sql: `SELECT * FROM flights ${condition}` },
    { defaultLimit: 'none' },
  )
  const names = schema.map(({ name }) => name)
  const places = [names.indexOf('Flight Count'), names.indexOf('Tail Number'), names.indexOf('Scheduled At')]
  const sizes: number[] = []
  const keys = new Set<string>()
  let flown = 0
  for await (const batch of batches) {
    sizes.push(batch.rowCount)
    for (let row = 0; row < batch.rowCount; row++) {
      flown += Number(valueAt(batch.columns[places[0]!]!, row, schema[places[0]!]!.type))
      keys.add(
        schema.map((column, i) => (column.role === 'dimension' ? valueAt(batch.columns[i]!, row, column.type) : '')).join('|'),
      )
    }
  }
  t.equal(sizes[0], 1000, 'a client that stops here has waited for no other row')
  t.equal(flown, Number(flights), 'every flight is in one row')
  t.equal(
    keys.size,
    sizes.reduce((sum, size) => sum + size),
    'no row is repeated',
  )
})

t.test('a client that stops early does not run the query for all rows', async (t) => {
  const { batches, outcome } = await service.executeSql(
    { asker: undefined, target: { sessionId: 'flights' }, sql: 'SELECT * FROM flights' },
    { defaultLimit: 'none' },
  )
  for await (const batch of batches) {
    t.equal(batch.rowCount, 1000)
    break
  }
  t.match(outcome().warnings.at(-1), { code: 'PREVIEW_LEFT_OUT', message: /more than 1000 rows/ })
})

t.test('few rows without a limit have all columns, with the values of any other query', async (t) => {
  const where = `WHERE "Origin Code" = 'JFK' AND "Date" = '2013-05-05' AND "Airline" = 'JetBlue Airways'`
  const { columns, rows, compiled } = await flights.ask(`SELECT * FROM flights ${where}`)
  t.notOk(compiled.warnings.some(({ code }) => code === 'PREVIEW_LEFT_OUT'))
  const all = columns.indexOf('All Flights')
  t.ok(rows.length > 10 && rows.length < 1000)
  const [[wanted]] = (await tables.rows(
    `SELECT count(*) FROM f WHERE origin = 'JFK' AND on_day = DATE '2013-05-05' AND airline = 'JetBlue Airways'`,
  )) as [[number]]
  for (const row of rows) t.ok(Number(row[all]) >= Number(wanted))
  const { rows: first } = await flights.ask(`SELECT * FROM flights ${where} LIMIT 10`)
  t.equal(first[0]![all], null, 'a preview leaves it out')
})

t.test('pages of a preview have different rows, and an order by a measure is that of all rows', async (t) => {
  const order = 'ORDER BY "Date", "Scheduled Hour", "Tail Number", "Destination Code"'
  const keys = async (page: string) =>
    (await flights.ask(`SELECT * FROM flights ${order} ${page}`)).rows.map((row) => row.slice(0, 19).join())
  const [both, second] = [await keys('LIMIT 30'), await keys('LIMIT 10 OFFSET 20')]
  t.same(second, both.slice(20))
  const { columns, rows } = await flights.ask('SELECT * FROM flights ORDER BY "Longest Departure Delay" DESC LIMIT 3')
  t.same(
    rows.map((row) => canonical(row[columns.indexOf('Longest Departure Delay')])),
    (await tables.rows('SELECT dep_delay FROM f ORDER BY 1 DESC NULLS LAST LIMIT 3')).flat(),
  )
})

t.test('SELECT * over REST ends at the default limit, and says so', async (t) => {
  const { batches, outcome } = await service.executeSql({
    asker: undefined,
    target: { sessionId: 'flights' },
    sql: 'SELECT * FROM flights',
  })
  let count = 0
  for await (const batch of batches) count += batch.rowCount
  const { truncated, rowCount, warnings } = outcome()
  t.same([count, rowCount, truncated], [1000, 1000, true])
  t.match(warnings.at(-1), { code: 'DEFAULT_LIMIT_APPLIED' })
})

t.test('most columns by their names in a subselect are the model', async (t) => {
  const { columns } = await flights.ask('SELECT * FROM flights WHERE 1=0')
  const all = columns.map((name) => `"${name}"`).join(', ')
  const sum = `SELECT u, SUM("Flight Count") AS n FROM (SELECT ${all}, upper("Origin Code") AS u FROM flights) t GROUP BY 1 ORDER BY 1`
  const { rows, compiled } = await flights.ask(sum)
  t.same(rows, await tables.rows('SELECT origin, count(*) FROM f GROUP BY 1 ORDER BY 1'))
  t.same(
    compiled.modelQueries.map(({ query }) => query.select.measures),
    [['Flight Count']],
  )
  const { rows: few } = await flights.ask(`SELECT * FROM (SELECT ${all} FROM flights) t LIMIT 4`)
  t.equal(few.length, 4)
})

const things = `(SELECT i, CASE WHEN i < 900 THEN 'a' ELSE 'b' || (i % 3)::VARCHAR END AS kind FROM range(1000) AS r(i))`
const source = (settings: string, extra = '') => `
version: 1
name: shop
settings: { ${settings} }
dataObjects:
  Things:
    code: "${things}"
    columns: { I: { code: i, abstractType: int, primaryKey: true }, Kind: { code: kind, abstractType: string } }
  Missing:
    code: nowhere
    columns: { N: { code: n, abstractType: int, primaryKey: true } }
dimensions:
  Kind: { dataObject: Things, column: Kind }
  N: { dataObject: Missing, column: N }
measures:
  Sum: { aggregation: sum, columns: [{ dataObject: Things, column: I }] }
  Total: { aggregation: sum, columns: [{ dataObject: Missing, column: N }] }
${extra}
`

async function shop(settings: string, extra?: string) {
  const host = await createHost(
    { plugins: [duckdbDialect, duckdb, evaluator, semanticQl] as never, settings: { QUERY_EXECUTE: true } },
    { environment: { process: {}, dotenv: {} } },
  )
  const { service } = host
  await service.start([{ session: 'shop', source: source(settings, extra), file: '/nowhere/shop.yaml' }])
  const ask = async (sql: string) => {
    const { schema, batches } = await service.executeSql({ asker: undefined, target: { model: 'shop' }, sql })
    let rows = 0
    for await (const batch of batches) rows += batch.rowCount
    return { columns: schema.map(({ name }) => name), rows }
  }
  return { ask, close: () => host.close() }
}

t.test('a model with equally many measures on two objects has no main fact', async (t) => {
  const { ask, close } = await shop('')
  for (const sql of ['SELECT * FROM shop LIMIT 1', 'SELECT COUNT(*) FROM shop', 'SELECT 1 FROM shop']) {
    await t.rejects(ask(sql), { code: 'ANCHOR_REQUIRED', message: /'Things' or 'Missing'/ }, sql)
  }
  t.same(await ask('SELECT count(*) FROM shop__Things'), { columns: ['count'], rows: 1 }, 'each has a relation of its own')
  await close()
})

t.test('settings.mainFact selects the object whose rows are shown; LIMIT 0 runs nothing', async (t) => {
  const missing = await shop('mainFact: Missing')
  t.same(
    await missing.ask('SELECT * FROM shop WHERE 1=0'),
    { columns: ['N', 'Total', 'Missing Count'], rows: 0 },
    'there is no such table',
  )
  t.same(await missing.ask('SELECT "N", "Total" FROM shop LIMIT 0'), { columns: ['N', 'Total'], rows: 0 })
  await t.rejects(missing.ask('SELECT * FROM shop LIMIT 1'), { code: 'DATABASE_ERROR' })
  await missing.close()
  const things = await shop('mainFact: Things')
  t.same(
    await things.ask('SELECT * FROM shop LIMIT 3'),
    { columns: ['Kind', 'Sum', 'Things Count'], rows: 3 },
    'though its first rows share one kind',
  )
  await things.close()
})

t.test('settings.mainFact must name a data object of the model', async (t) => {
  await t.rejects(shop('mainFact: Thing'), { message: /'Thing' is not a data object/ })
})

t.test('a measure for each row beside all columns is a column of the preview', async (t) => {
  const { columns, rows, compiled } = await flights.ask(
    `SELECT *, measure_per('Flight Count', 'Planes') AS n FROM flights LIMIT 5`,
  )
  t.same([rows.length, columns.at(-1)], [5, 'n'])
  t.match(compiled.warnings.at(-1), { code: 'PREVIEW_LEFT_OUT' })
  for (const row of rows) {
    const plane = row[columns.indexOf('Tail Number')]
    const [wanted] = await tables.rows(`SELECT count(*) FROM f WHERE tailnum = '${plane}'`)
    const isKnown = row[columns.indexOf('Manufacturer')] !== null
    t.equal(canonical(row.at(-1)), isKnown ? wanted![0] : null, `${plane}`)
  }
})

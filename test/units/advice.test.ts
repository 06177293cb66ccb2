/** The advice of the codes about units, and the numbers that follow. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { database } from '../compile/database.js'
import { compileFor, loadText } from '../support/compile.js'
import { money, text } from './model.js'

const { rows } = await database(
  'CREATE TABLE accounts (id INT, region VARCHAR, currency VARCHAR, credit_limit DOUBLE)',
  "INSERT INTO accounts VALUES (1, 'north', 'EUR', 1), (2, 'south', 'USD', 2)",
  `CREATE TABLE orders (id INT, account_id INT, ordered_on DATE, currency VARCHAR, fee_currency VARCHAR, amount DOUBLE, discount DOUBLE,
    fee DOUBLE, charged DOUBLE, pieces INT, distance DOUBLE, freight DOUBLE)`,
  `INSERT INTO orders VALUES
    (1, 1, DATE '2025-01-02', 'EUR', 'EUR', 100, 10, 1, 1, 1, 10, 5), (2, 1, DATE '2025-01-03', 'USD', 'EUR', 200, 0, 2, 2, 2, 20, 7),
    (3, 2, DATE '2025-01-04', 'USD', 'USD', 300, 0, 3, 3, 3, 30, 9)`,
  'CREATE TABLE rates (currency VARCHAR, day DATE, euros DOUBLE, converted DOUBLE)',
  "INSERT INTO rates VALUES ('EUR', DATE '2025-01-01', 1, 1), ('USD', DATE '2025-01-01', 0.5, 0.5)",
)

const asked = async (query: object, model = money) => {
  const compiled = compileFor(query, model)
  const codes = compiled.warnings.map(({ code }) => code).filter((code) => code === 'MIXED_UNITS')
  return { codes, units: compiled.columns.map(({ unit }) => unit ?? null), rows: await rows(compiled.sql) }
}

t.test('the advice of each code, applied, gives a number of one unit', async (t) => {
  const order = { order_by: [{ field: 'Region' }] }
  const byRegion = { select: { dimensions: ['Region'], measures: ['Revenue'] }, ...order }
  const [warning] = compileFor(byRegion, money).warnings
  t.match(
    warning?.message,
    /add the dimension 'Order Currency' to the query, a filter that leaves one .* or use a measure that converts/,
  )
  const grouped = { select: { dimensions: ['Order Currency'], measures: ['Revenue'] }, order_by: [{ field: 'Order Currency' }] }
  t.same(await asked(grouped), {
    codes: [],
    units: [null, '{Order Currency}'],
    rows: [
      ['EUR', 100],
      ['USD', 500],
    ],
  })
  const filtered = { ...byRegion, where: [{ field: 'Order Currency', op: 'eq', value: 'USD' }] }
  t.same(await asked(filtered), {
    codes: [],
    units: [null, 'USD'],
    rows: [
      ['north', 200],
      ['south', 300],
    ],
  })
  const converted = { select: { dimensions: ['Region'], measures: ['Euros'] }, ...order }
  t.same(await asked(converted), {
    codes: [],
    units: [null, 'EUR'],
    rows: [
      ['north', 200],
      ['south', 150],
    ],
  })

  const withMeasure = (measure: string) => text.replace('metrics:\n', `  Cost: ${measure}\nmetrics:\n`)
  const wrong = withMeasure("{ aggregation: sum, expression: '{[Orders].[Freight]} + {[Orders].[Amount]}' }")
  t.match(parseModelSync({ text: wrong }).errors, [
    { code: 'UNIT_MISMATCH', message: /convert one of them first, by a product with a rate/ },
  ])
  const right = loadText(
    withMeasure("{ aggregation: sum, expression: '{[Orders].[Freight]} + {[Orders].[Amount]} * {[Rates].[Euros]}' }"),
  )
  t.same(await asked({ select: { measures: ['Cost'] } }, right), { codes: [], units: ['EUR'], rows: [[371]] })

  const unread = withMeasure("{ aggregation: sum, columns: [{ dataObject: Orders, column: Freight }], unit: 'EUR/' }")
  t.match(parseModelSync({ text: unread }).errors, [{ code: 'INVALID_UNIT', message: /write a unit such as EUR/ }])
  const read = loadText(unread.replace("'EUR/'", 'EUR'))
  t.same(await asked({ select: { measures: ['Cost'] } }, read), { codes: [], units: ['EUR'], rows: [[21]] })
})

t.test('each further way of an advice gives a number of one unit', async (t) => {
  const withMeasure = (measure: string) => text.replace('metrics:\n', `  Cost: ${measure}\nmetrics:\n`)
  const total = { select: { measures: ['Cost'] } }
  const unread = withMeasure("{ aggregation: avg, expression: '{[Orders].[Freight]} / {[Orders].[Distance]}', unit: 'EUR/' }")
  t.match(parseModelSync({ text: unread }).errors, [{ code: 'INVALID_UNIT' }])
  const product = loadText(unread.replace("'EUR/'", 'EUR/km'))
  t.same(await asked(total, product), { codes: [], units: ['EUR/km'], rows: [[(0.5 + 0.35 + 0.3) / 3]] }, 'a product of names')
  const ofColumn = (unit: string) =>
    withMeasure(`{ aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], unit: ${unit} }`)
  t.match(parseModelSync({ text: ofColumn("'{Curency}'") }).errors, [{ code: 'INVALID_UNIT' }])
  const grouped = { select: { dimensions: ['Order Currency'], measures: ['Cost'] }, order_by: [{ field: 'Order Currency' }] }
  t.same(
    await asked(grouped, loadText(ofColumn("'{[Orders].[Currency]}'"))),
    {
      codes: [],
      units: [null, '{Order Currency}'],
      rows: [
        ['EUR', 100],
        ['USD', 500],
      ],
    },
    'a column that the rows reach',
  )

  const freight = (expression: string, unit: string) =>
    withMeasure(`{ aggregation: sum, expression: '${expression}', unit: ${unit} }`)
  t.match(parseModelSync({ text: freight('{[Orders].[Freight]}', 'USD') }).errors, [{ code: 'UNIT_MISMATCH' }])
  const converted = loadText(freight('{[Orders].[Freight]} * 2', 'USD'))
  t.same(await asked(total, converted), { codes: [], units: ['USD'], rows: [[42]] }, 'a factor, and the unit of the result')
  const corrected = loadText(freight('{[Orders].[Freight]}', 'EUR'))
  t.same(await asked(total, corrected), { codes: [], units: ['EUR'], rows: [[21]] }, 'the unit that is wrong is corrected')
})

t.test('expressions of a query are judged, too', async (t) => {
  const where = [{ expression: '{[Orders].[Freight]} > {[Orders].[Distance]}' }]
  t.throws(() => compileFor({ select: { measures: ['Orders Made'] }, where }, money), { code: 'UNIT_MISMATCH' })
  const having = [{ expression: '{[Freight]} > {[Kilometres]}' }]
  t.throws(() => compileFor({ select: { dimensions: ['Region'], measures: ['Freight'] }, having }, money), {
    code: 'UNIT_MISMATCH',
  })
  const right = [{ expression: '{[Freight]} > {[Euros]} / 100' }]
  t.ok(compileFor({ select: { dimensions: ['Region'], measures: ['Freight'] }, having: right }, money).sql)
})

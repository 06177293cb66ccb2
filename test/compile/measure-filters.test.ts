/** The filters of a measure name dimensions like `where`, or columns. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { compileFor } from '../support/compile.js'
import { database } from './database.js'

const document = (filters: readonly object[]) => ({
  dataObjects: {
    Orders: {
      code: 'orders',
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        Country: { code: 'country', abstractType: 'string' },
        Day: { code: 'placed', abstractType: 'date' },
      },
    },
  },
  dimensions: {
    Where: { dataObject: 'Orders', column: 'Country' },
    Month: { dataObject: 'Orders', column: 'Day', timeGrain: 'month' },
    Upper: { dataObject: 'Orders', expression: 'upper({[Orders].[Country]})' },
  },
  measures: { Some: { aggregation: 'count', columns: [{ dataObject: 'Orders', column: 'Id' }], filters } },
})

const sqlOf = (filters: readonly object[]): string => {
  const { model, errors } = parseModelSync({ json: document(filters) })
  if (!model) throw new Error(errors.map((e) => e.message).join('; '))
  return compileFor({ select: { measures: ['Some'] } }, model).sql
}

t.test('a filter on a dimension compares its column', async (t) => {
  const filter = (field: string) => [{ field, op: '=', value: 'BE' }]
  t.equal(sqlOf(filter('Where')), sqlOf(filter('Orders.Country')))
})

t.test('a filter on a dimension with a grain compares its periods, as in where', async (t) => {
  const where = [{ field: 'Month', op: '=', value: '2024-05-01' }]
  const plain = parseModelSync({ json: document([]) }).model!
  t.equal(
    sqlOf(where),
    compileFor({ select: { measures: ['Some'] }, where }, plain).sql,
    'the same text as the same condition on the question',
  )
})

t.test('a filter on a dimension that is not a plain column is refused with the form to write', async (t) => {
  const { errors } = parseModelSync({ json: document([{ field: 'Upper', op: '=', value: 'BE' }]) })
  t.match(errors, [{ code: 'INCOMPLETE_COLUMN_REF', path: 'measures.Some.filters[0].field', message: /write the column/ }])
})

const shipped = (expression: string, more: object = {}) =>
  parseModelSync({
    text: `settings: { defaultTimezone: UTC }
dataObjects:
  Customers:
    code: customers
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Cap: { code: cap, abstractType: int } }
  Sales:
    code: sales
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer: { code: customer, abstractType: int }
      Amount: { code: amount, abstractType: int }
      At: { code: sold_at, abstractType: timestamp_tz }
      Due: { code: due, abstractType: date }
    joins: [{ joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id] }]
measures:
  Some:
    aggregation: sum
    columns: [{ dataObject: Sales, column: Amount }]
    filters: [${JSON.stringify({ expression, ...more })}]
`,
  })

t.test('a filter may be an expression over columns of several objects, in the zone of the query', async (t) => {
  const { rows } = await database(
    'CREATE TABLE customers AS SELECT * FROM (VALUES (1, 15), (2, 5)) v(id, cap)',
    `CREATE TABLE sales AS SELECT * FROM (VALUES
      (1, 1, 10, TIMESTAMPTZ '2024-01-01 02:00:00+00', DATE '2023-12-31'), (2, 1, 20, TIMESTAMPTZ '2024-01-01 06:00:00+00', DATE '2023-12-31'),
      (3, 2, 40, TIMESTAMPTZ '2024-01-02 03:00:00+00', DATE '2024-01-01'), (4, NULL, 80, NULL, NULL)) v(id, customer, amount, sold_at, due)`,
  )
  const answer = async (expression: string, timezone: string) => {
    const { model, errors, warnings } = shipped(expression)
    t.same([...errors, ...warnings], [])
    return rows(compileFor({ select: { measures: ['Some'] }, timezone }, model!).sql)
  }
  const shown = (zone: string) => `SELECT sum(amount) FROM sales WHERE CAST(timezone('${zone}', sold_at) AS DATE) <= due`
  for (const zone of ['UTC', 'America/New_York'])
    t.same(await answer('CAST({[Sales].[At]} AS date) <= {[Sales].[Due]}', zone), await rows(shown(zone)), zone)
  t.same(
    await answer('{[Sales].[Amount]} > {[Customers].[Cap]} OR {[Customers].[Cap]} IS NULL', 'UTC'),
    await rows('SELECT sum(amount) FROM sales LEFT JOIN customers c ON c.id = customer WHERE amount > cap OR cap IS NULL'),
  )
})

t.test('an expression that is no condition, or stands beside a comparison, is refused once', (t) => {
  const faults = (expression: string, more: object = {}) => shipped(expression, more).errors.map(({ code, path }) => [code, path])
  const at = 'measures.Some.filters[0]'
  t.same(faults('{[Sales].[Amount]} + 1'), [['EXPRESSION_TYPE_MISMATCH', `${at}.expression`]])
  t.same(faults('{[Sales].[Amuont]} > 1'), [['UNKNOWN_COLUMN_IN_EXPRESSION', `${at}.expression`]])
  t.same(faults('{Amount} > 1'), [['INCOMPLETE_COLUMN_REF', `${at}.expression`]])
  t.same(faults('{[Sales].[Amount]} > 1', { op: '>' }), [['SCHEMA_VALIDATION', at]])
  t.end()
})

import t from 'tap'
import { compileFor, loadText } from '../../../../test/support/compile.js'

const model = loadText(`
version: 1
dataObjects:
  Customers:
    code: customers
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Name: { code: name, abstractType: string }
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer Id: { code: customer_id, abstractType: int }
      Amount: { code: amount, abstractType: int }
      Status: { code: status, abstractType: string }
      Day: { code: day, abstractType: date }
    joins:
      - { joinTo: Customers, joinType: many-to-one, columnsFrom: [Customer Id], columnsTo: [Id] }
dimensions:
  Customer: { dataObject: Customers, column: Name }
  Day: { dataObject: Orders, column: Day }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
  Buyers: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Customer Id }] }
metrics:
  Revenue so far: { type: cumulative, measure: Revenue, timeDimension: Day }
  Revenue of the year: { type: cumulative, measure: Revenue, timeDimension: Day, grainToDate: year }
  Revenue of 3: { type: cumulative, measure: Revenue, timeDimension: Day, window: 3 }
  Buyers so far: { type: cumulative, measure: Buyers, timeDimension: Day }
`)

const compiled = (measures: readonly string[], more: object = {}) =>
  compileFor({ select: { dimensions: ['Day:month', 'Customer'], measures }, ...more }, model)
const scans = (sql: string): number => sql.split('"orders"\n').length - 1

for (const measures of [['Revenue', 'Revenue so far'], ['Revenue so far'], ['Revenue so far', 'Revenue of the year']])
  t.test(`${measures.join(' and ')} read the orders once`, (t) => {
    const { sql, explain } = compiled(measures)
    t.ok(explain().rules.includes('running-totals'))
    t.equal(scans(sql), 1, sql)
    t.end()
  })

t.test('other windows are looked up for the rows with the totals', (t) => {
  const { sql, explain } = compiled(['Revenue so far', 'Revenue of 3', 'Buyers so far'])
  t.match(explain().rules, ['running-totals', 'window-counts', 'window-frames'])
  t.notMatch(sql, /since/)
  t.end()
})

for (const [title, more] of [
  ['rows of some days have totals of all', { where: [{ field: 'Day', op: 'gte', value: '2025-01-01' }] }],
  ['periods without rows have a total, too', { fillGaps: true }],
] as const)
  t.test(title, (t) => {
    t.notOk(compiled(['Revenue', 'Revenue so far'], more).explain().rules.includes('running-totals'))
    t.end()
  })

/** Which values a comparison with another time subtracts or divides. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { compileFor, loadText, refusalOf } from '../support/compile.js'

const shop = (day: string, metrics = '') => `
version: 1.0
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Day: { code: day, abstractType: date }
      At: { code: at, abstractType: timestamp_tz }
      Name: { code: name${day} }
dimensions:
  Day: { dataObject: Orders, column: Day }
measures:
  Orders: { aggregation: count, columns: [{ dataObject: Orders, column: Id }] }
  First: { aggregation: min, columns: [{ dataObject: Orders, column: At }] }
  Last Day: { aggregation: max, columns: [{ dataObject: Orders, column: Day }] }
  First Name: { aggregation: min, columns: [{ dataObject: Orders, column: Name }] }
${metrics}`
const typed = loadText(shop(', abstractType: string'))
const where = [{ field: 'Day', op: 'between', value: ['2024-01-01', '2024-03-31'] }]
const asked = (measure: string, show: string, dimensions: readonly string[]) => ({
  select: { dimensions, measures: [measure] },
  where,
  compare: { time: 'Day', unit: 'month', show: [show] },
})

t.test('only numbers have a difference, a ratio or a change', async (t) => {
  for (const measure of ['First', 'Last Day', 'First Name'])
    for (const dimensions of [[], ['Day:month']]) {
      for (const show of ['difference', 'ratio', 'percentChange'])
        t.match(refusalOf(asked(measure, show, dimensions), typed), {
          code: 'EXPRESSION_TYPE_MISMATCH',
          message: /which have no difference; compare them with previousValue$/,
        })
      // The advice of the message.
      t.equal(compileFor(asked(measure, 'previousValue', dimensions), typed).columns.length, dimensions.length + 2)
    }
  for (const show of ['difference', 'ratio', 'percentChange']) t.ok(compileFor(asked('Orders', show, []), typed).sql)
})

t.test('a column without a declared type may hold numbers', async (t) => {
  t.ok(compileFor(asked('First Name', 'difference', []), loadText(shop(''))).sql)
})

t.test('a metric over time that subtracts dates is refused when its model is loaded', async (t) => {
  const metric = (comparison: string) => `
metrics:
  Growth: { type: period_over_period, expression: '{[Last Day]}', periodOverPeriod: { timeDimension: Day, grain: month, comparison: ${comparison} } }
`
  const { errors } = parseModelSync({ text: shop(', abstractType: string', metric('difference')) })
  t.match(errors, [{ code: 'EXPRESSION_TYPE_MISMATCH', path: 'metrics.Growth.periodOverPeriod.comparison' }])
  t.same(parseModelSync({ text: shop(', abstractType: string', metric('previousValue')) }).errors, [])
})

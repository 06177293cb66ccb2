/** Whether the values of a measure at two times can be compared. */
import t from 'tap'
import { loadText } from '../../../test/support/compile.js'
import { DATE, INT, STRING } from '../model/data-type.js'
import type { PeriodMetric } from '../model/semantic-model.js'
import { checkComparison } from './check-comparison.js'

const model = loadText(`
version: 1
dataObjects:
  Orders:
    code: orders
    columns:
      Day: { code: day, abstractType: date }
      Kind: { code: kind }
dimensions:
  Day: { dataObject: Orders, column: Day }
measures:
  Last: { aggregation: max, columns: [{ dataObject: Orders, column: Day }] }
  Kind: { aggregation: max, columns: [{ dataObject: Orders, column: Kind }] }
metrics:
  Last Before: { type: period_over_period, expression: '{[Last]}', periodOverPeriod: { timeDimension: Day, grain: month, comparison: previousValue } }
`)
const before = model.metrics.get('Last Before') as PeriodMetric
const over = (name: string, comparison: PeriodMetric['comparison']): PeriodMetric => ({
  ...before,
  name: 'Change',
  expression: { kind: 'field', name },
  comparison,
})

t.test('values that are no numbers are only shown', async (t) => {
  for (const comparison of ['difference', 'ratio', 'percentChange'] as const) {
    t.throws(() => checkComparison(over('Last', comparison), DATE, model, 'select.measures[0]'), {
      code: 'EXPRESSION_TYPE_MISMATCH',
      message: `'Change' (${comparison}) compares values of type date, which have no difference; compare them with previousValue`,
      details: { path: 'select.measures[0]' },
    })
    t.throws(() => checkComparison(over('Last Before', comparison), DATE, model, ''), { code: 'EXPRESSION_TYPE_MISMATCH' })
    checkComparison(over('Last', comparison), INT, model, '')
  }
  checkComparison(over('Last', 'previousValue'), DATE, model, '')
})

t.test('a column without a declared type may hold numbers', async () => {
  checkComparison(over('Kind', 'difference'), STRING, model, '')
})

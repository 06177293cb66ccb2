/** What is said of a name that is no dimension or measure. */
import t from 'tap'
import { shop } from '../../../test/support/models.js'
import { unknownDimension, unknownMeasure } from './unknown-field.js'

const dimension = (name: string) => () => unknownDimension('UNKNOWN_DIMENSION', name, shop, 'p')
const measure = (name: string) => () => unknownMeasure('UNKNOWN_MEASURE', name, shop, 'p')

const CASES: readonly (readonly [() => never, RegExp, readonly string[]])[] = [
  [dimension('Regions.Name'), /is a column, not a dimension; use the dimension 'Region'/, ['Region']],
  [dimension('Orders.Payer Id'), /declare a dimension that reads it, or ask for plain rows/, []],
  [dimension('Region:month'), /'Region' is not a date or timestamp and has no grain 'month'/, ['Region']],
  [dimension('Day:month'), /compares 'Day' at the grain that the model gives it/, ['Day']],
  [dimension('Day:mnth'), /did you mean 'Day:month'/, ['Day:month']],
  [dimension('Day:zzzzzzzz'), /known are second, minute/, []],
  [dimension('Statu'), /did you mean 'Status'/, ['Status']],
  [measure('Orders.Amount'), /use the measure 'Sales'/, ['Sales', 'Paid Sales', 'Sales of Region']],
  [measure('Orders.Payer Id'), /declare a measure that reads it/, []],
  [measure('Saless'), /did you mean 'Sales'/, ['Sales']],
]
for (const [ask, message, suggestions] of CASES)
  t.test(`it says ${message.source}`, async (t) => {
    t.throws(ask, { message, path: 'p' } as never)
    try {
      ask()
    } catch (error) {
      t.match((error as { details: { suggestions: unknown } }).details.suggestions, suggestions.slice(0, 1))
    }
  })

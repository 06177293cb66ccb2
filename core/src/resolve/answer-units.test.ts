/** The units of the columns of an answer. */
import t from 'tap'
import { resolved } from '../../../test/support/bound.js'
import { loadText } from '../../../test/support/compile.js'
import { shop } from '../../../test/support/models.js'
import { money, text } from '../../../test/units/model.js'
import { builtInAggregates } from '../model/functions/aggregates.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import { answerUnits } from './answer-units.js'

const units = (query: unknown, model = money) => {
  const found = answerUnits(resolved(query, model), {
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    values: new Map([['Currency', 'USD']]),
  })
  return [Object.fromEntries(found.units), found.warnings.map(({ code }) => code)]
}

t.test('by name, by the column that names them, or none', async (t) => {
  t.same(units({ select: { measures: ['Sales'] } }, shop), [{}, []])
  t.same(units({ select: { measures: ['Kilometres', 'Pieces'] } }), [{ Kilometres: 'km' }, []])
  t.same(units({ select: { dimensions: ['Order Currency'], measures: ['Revenue'] } }), [{ Revenue: '{Order Currency}' }, []])
  t.same(units({ select: { fields: ['Orders.Amount', 'Orders.Freight'] } }), [{ 'Orders.Freight': 'EUR' }, []])
  t.same(units({ select: { fields: ['Orders.Amount', 'Orders.Currency'] } }), [{ 'Orders.Amount': '{Orders.Currency}' }, []])
})

t.test('several units in one value are a warning', async (t) => {
  t.same(units({ select: { measures: ['Revenue'] } }), [{}, ['MIXED_UNITS']])
})

const more = loadText(
  text
    .replace(
      '      Charged Ever:',
      '      Freight Ever: { measure: Freight }\n      Orders Ever: { measure: Orders Made }\n      Charged Ever:',
    )
    .replace(
      'measures:\n',
      `measures:
  Counted: { aggregation: count, columns: [{ dataObject: Orders, column: Id }], unit: EUR }
  Scaled: { aggregation: sum, expression: '{[Orders].[Freight]} * {@Fixed Cost}' }
  Orders by Accounts: { aggregation: sum, columns: [{ dataObject: Accounts, column: Orders Ever }] }
  Freight by Accounts: { aggregation: sum, columns: [{ dataObject: Accounts, column: Freight Ever }] }
`,
    )
    .replace(
      'metrics:\n',
      `metrics:
  Best: { type: aggregate, aggregation: max, measure: Revenue, per: [Account] }
  Before Then: { type: period_over_period, measure: Before, periodOverPeriod: { timeDimension: Month, offset: -1, offsetGrain: month } }
  Freight Before Then: { type: period_over_period, measure: Freight Before, periodOverPeriod: { timeDimension: Month, offset: -1, offsetGrain: month, comparison: difference } }
  Month Before: { type: period_over_period, measure: Revenue, periodOverPeriod: { timeDimension: Month, offset: -1, offsetGrain: month } }
`,
    ),
)

t.test('a unit that is declared, of a parameter, or of a column with a measure', async (t) => {
  const of = (...measures: readonly string[]) => units({ select: { measures } }, more)
  t.same(of('Counted', 'Scaled', 'Freight by Accounts', 'Orders by Accounts'), [
    { Counted: 'EUR', Scaled: 'EUR^2', 'Freight by Accounts': 'EUR' },
    [],
  ])
})

t.test('a currency that is not shown names no unit, and each warning is given once', async (t) => {
  const by = (dimension: string, ...measures: readonly string[]) => units({ select: { dimensions: [dimension], measures } }, more)
  t.same(by('Amount of Order', 'Counted'), [{ Counted: 'EUR' }, []])
  t.same(by('Order', 'Best'), [{}, []])
  t.same(by('Month', 'Month Before'), [{}, ['MIXED_UNITS']], 'at both periods')
})

t.test('a value of another row at another period has the unit that it has there', async (t) => {
  const before = { select: { dimensions: ['Month', 'Order Currency'], measures: ['Before Then', 'Freight Before Then'] } }
  t.same(units(before, more), [{ 'Before Then': '{Order Currency}', 'Freight Before Then': 'EUR' }, []])
})

t.test('a subtotal has the unit of the detail, or none', async (t) => {
  const grouping = 'rollup'
  t.match(units({ select: { dimensions: ['Order Currency'], measures: ['Kilometres'] }, grouping })[0], { Kilometres: 'km' })
})

/** The units of the columns of an answer. */
import t from 'tap'
import { resolved } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { money } from '../../../test/units/model.js'
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

t.test('a subtotal has the unit of the detail, or none', async (t) => {
  const grouping = 'rollup'
  t.match(units({ select: { dimensions: ['Order Currency'], measures: ['Kilometres'] }, grouping })[0], { Kilometres: 'km' })
})

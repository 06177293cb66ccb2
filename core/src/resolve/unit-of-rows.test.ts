/** The unit of an aggregate in each row. */
import t from 'tap'
import { aggregateQuery, resolved } from '../../../test/support/bound.js'
import { money } from '../../../test/units/model.js'
import { builtInAggregates } from '../model/functions/aggregates.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import type { MixedWhat } from './mixed-units.js'
import { AggregateUnits } from './unit-of-rows.js'

function unit(measure: string, dimensions: readonly string[] = [], where: readonly object[] = []) {
  const query = aggregateQuery({ select: { dimensions, measures: [measure] }, where }, money)
  const mixed: MixedWhat[] = []
  const context = {
    model: query.model,
    graph: query.graph,
    time: query.time,
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    values: new Map([['Currency', 'USD']]),
  }
  const units = new AggregateUnits(
    context,
    (what) => mixed.push(what),
    () => undefined,
  )
  const found = units.of(query.aggregates[0]!)
  if (mixed[0]) return `${mixed[0].does} ${mixed[0].column?.column}`
  return found
    ?.map(
      ({ of, power }) =>
        `${of.kind === 'named' ? of.name : of.kind === 'dimension' ? `{${of.label}}` : of.kind}${power === 1 ? '' : power}`,
    )
    .join()
}

t.test('a unit with a name', async (t) => {
  t.equal(unit('Freight'), 'EUR')
  t.equal(unit('Kilometres'), 'km')
  t.equal(unit('Pieces'), undefined)
  t.equal(unit('Orders Made'), undefined)
  t.ok(resolved({ select: { measures: ['Freight'] } }, money))
})

t.test('a unit that a column names: by a dimension, by a condition, or several', async (t) => {
  t.equal(unit('Revenue', ['Order Currency']), '{Order Currency}')
  t.equal(unit('Revenue', [], [{ field: 'Order Currency', op: 'eq', value: 'EUR' }]), 'EUR')
  t.equal(unit('Revenue', ['Order']), 'fixed', 'an order has one')
  t.equal(unit('Revenue'), 'adds Currency')
})

/** Events of a conversion: whose, when, and of which rows. */
import t from 'tap'
import { metricOf, rowSetContext } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { saidWhere } from '../../../test/support/said.js'
import { hiddenName } from '../hidden-name.js'
import { conversionOf, isKnown, ofSomebody, unbucketed } from './conversions.js'

const conversion = (more: object = {}) => ({
  type: 'conversion',
  base: 'Order Count',
  conversion: 'Return Count',
  entity: 'Customer',
  window: '7d',
  calculation: 'count',
  ...more,
})
const counted = (dataObject: string, column = 'Id') => ({ aggregation: 'count', columns: [{ dataObject, column }] })
const days = { timeDimension: 'Day', conversionTimeDimension: 'Return Day' }
const model = shopWith({
  dimensions: { 'Return Day': { dataObject: 'Returns', column: 'Day' }, Product: { dataObject: 'Items', column: 'Product' } },
  measures: {
    'Return Count': counted('Returns'),
    'Paid Events': { ...counted('Orders'), filters: [{ field: 'Orders.Status', op: 'equals', value: 'paid' }] },
  },
  metrics: {
    Converted: conversion(days),
    Implied: conversion(),
    Hours: conversion({ ...days, window: '7h' }),
    Paid: conversion({ ...days, base: 'Paid Events' }),
    'By Product': conversion({ ...days, entity: 'Product' }),
  },
})
const context = rowSetContext({ select: { measures: ['Sales'] } }, model)
const of = (name: string, within = context, from = model) => {
  const metric = metricOf('conversion', name, from)
  return conversionOf(
    { metric, base: from.measures.get(metric.base)!, conversion: from.measures.get(metric.conversion)! },
    within,
    'p',
  )
}

t.test('events are grouped by the entity and the time, which they have', async (t) => {
  const { base, later, inOrder, unit, count } = of('Converted')
  t.same([base.base, later.map((one) => one.base), inOrder, unit, count], ['Orders', ['Returns'], false, 'day', 7])
  t.same(
    base.dimensions.map(({ label }) => label),
    ['Customer', 'Day'],
  )
  t.same(
    base.conjuncts.map(({ expression }) => saidWhere(expression)),
    ['Customer is not null', 'Day is not null'],
  )
  t.same(
    of('Paid').base.filters.map((filter) => filter.kind === 'leaf' && filter.operator),
    ['eq', 'is_not_null'],
  )
})

t.test('dates have no hours', async (t) => {
  t.throws(() => of('Hours'), { code: 'INVALID_METRIC', path: 'p' })
})

t.test('a time that is not named is the only one', async (t) => {
  t.equal(of('Implied').later[0]?.dimensions[1]?.label, 'Return Day')
})

t.test('a metric of the query has no time that its asker does not see, and one of the model has', async (t) => {
  const hidden = hiddenName('0'.repeat(32))
  const own = shopWith({
    dimensions: { [hidden]: { dataObject: 'Returns', column: 'Day' } },
    measures: { 'Return Count': counted('Returns') },
    metrics: { Implied: conversion() },
  })
  const asked = (from: typeof own) => of('Implied', rowSetContext({ select: { measures: ['Sales'] } }, from), from)
  t.equal(asked(own).later[0]?.dimensions[1]?.label, hidden)
  t.throws(() => asked({ ...own, own: new Set(['Implied']) }), /events on 'Returns' happen, which has no time dimension/)
})

t.test('what no event has is refused', async (t) => {
  t.throws(() => of('By Product'), { code: 'NO_JOIN_PATH', path: 'p' })
  const days = { Returns: { columns: { Day: { abstractType: 'timestamp' } } } }
  const timed = shopWith({ dimensions: { 'Return Day': { dataObject: 'Returns', column: 'Day' } }, dataObjects: days })
  t.throws(() => of('Converted', rowSetContext({ select: { measures: ['Sales'] } }, timed)), /are of different types/)
})

t.test('rows without an entity are no events', async (t) => {
  const found = of('Converted')
  t.equal(ofSomebody(found).length, 1)
  t.equal(ofSomebody({ ...found, inOrder: true }).length, 2, 'in a funnel they need a time, too')
  const time = unbucketed('time', 'Day', context, 'p')
  t.equal(saidWhere(isKnown(time).expression), 'Day is not null')
})

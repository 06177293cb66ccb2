/** The time whose gaps a query fills. */
import t from 'tap'
import { aggregateQuery, contextOf, dimensionOf, resolved } from '../../../test/support/bound.js'
import { loadText } from '../../../test/support/compile.js'
import { SHOP, shop, shopWith } from '../../../test/support/models.js'
import { hiddenName } from '../hidden-name.js'
import { fillAt } from './fill.js'

const HIDDEN = hiddenName('0'.repeat(32))

const ask = (dimensions: readonly string[], more: object = {}) => ({
  select: { dimensions, measures: ['Sales'] },
  fill_gaps: true,
  ...more,
})
const fill = (dimensions: readonly string[]) => {
  const found = aggregateQuery(ask(dimensions), shop).fill
  return found && [found.time.label, found.siblingGrains.map(({ label }) => label)]
}

t.test('along the finest grain of one time', async (t) => {
  t.same(fill(['Region', 'Day:month']), ['Day:month', []])
  t.same(fill(['Day:year', 'Day:month']), ['Day:month', ['Day:year']])
})

t.test('none, several, and periods that do not lie in each other are refused', async (t) => {
  const model = shopWith({
    calendars: { fiscal: { yearStart: '04-06' } },
    dimensions: { 'Return Day': { dataObject: 'Returns', column: 'Day' } },
  })
  for (const dimensions of [[], ['Day'], ['Day:month', 'Return Day:month'], ['Day:month', 'Day:fiscal_month']])
    t.throws(
      () => resolved(ask(dimensions), model),
      { code: 'TIME_DIMENSION_NOT_SELECTED', path: 'fill_gaps' },
      dimensions.join(),
    )
  t.throws(() => resolved(ask([]), model), /selects none; select one, such as 'Day:month'/)
  const hidden = {
    ...model,
    dimensions: new Map([[HIDDEN, { ...model.dimensions.get('Return Day')!, name: HIDDEN }], ...model.dimensions]),
  }
  t.throws(() => resolved(ask([]), hidden), /select one, such as 'Day:month'/, 'a time that the asker sees')
  const timeless = loadText(SHOP.slice(0, SHOP.indexOf('metrics:')).replace('  Day: { dataObject: Orders, column: Day }\n', ''))
  t.throws(() => resolved(ask([]), timeless), /selects none$/)
  t.throws(() => resolved(ask(['Day']), model), /'Day' has none; select 'Day:day', or another grain/)
  t.throws(
    () => resolved(ask(['Day:month', 'Return Day:month']), model),
    /several: 'Day:month', 'Return Day:month'; select one of them/,
  )
  const top = { dimension: 'Day:month', by: 'Sales', n: 2 }
  t.throws(() => resolved(ask(['Day:month'], { top }), shop), /leave one of them out/)
})

t.test('a level without the time has no gaps, and a coarser one those of its grain', async (t) => {
  const { graph } = contextOf(shop)
  const [month, year, region] = ['Day:month', 'Day:year', 'Region'].map((name) => dimensionOf(name, shop))
  const whole = { time: month!, siblingGrains: [year!], perTuple: false }
  t.equal(fillAt(whole, [region!], graph), undefined)
  t.equal(fillAt(undefined, [month!], graph), undefined)
  t.match(fillAt(whole, [year!, region!], graph), { time: { label: 'Day:year' }, siblingGrains: [] })
})

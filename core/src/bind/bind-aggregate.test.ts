/** Which blocks create the rows of an answer, which are looked up for them, and what the answer warns of. */
import t from 'tap'
import { bound, boundAggregate } from '../../../test/support/bound.js'
import { MATCHING_RETURNS, shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { isLookedUp } from './bind-aggregate.js'
import type { BoundBlock } from './bound-block.js'
import type { BoundAggregateQuery } from './bound-query.js'

const amount = (dataObject: string) => ({ aggregation: 'sum', columns: [{ dataObject, column: 'Amount' }] })
const lastMonth = (measure: string) => ({
  type: 'period_over_period',
  measure,
  periodOverPeriod: { timeDimension: 'Day', offset: -1, offsetGrain: 'month', comparison: 'previousValue' },
})
const soFar = (measure: string, more: object = {}) => ({ type: 'cumulative', measure, timeDimension: 'Day', ...more })
const mean = (measure: string) => ({ type: 'aggregate', measure, aggregation: 'avg', per: ['Customer'] })
const steps = [
  { measure: 'Order Count', timeDimension: 'Day' },
  { measure: 'Return Count', timeDimension: 'Returned On' },
]
const model = shopWith({
  dimensions: { 'Returned On': { dataObject: 'Returns', column: 'Day' } },
  measures: {
    'Return Count': { aggregation: 'count', columns: [{ dataObject: 'Returns', column: 'Id' }] },
    'Returned of Region': { ...amount('Returns'), grain: { mode: 'FIXED', include: ['Region'] } },
    'Paid of Region': {
      ...amount('Orders'),
      filters: [{ field: 'Orders.Status', op: 'equals', value: 'paid' }],
      grain: { mode: 'FIXED', include: ['Region'] },
    },
    Kept: { aggregation: 'sum', expression: '{[Orders].[Amount]} - {[Returns].[Amount]}' },
    'Sold and Kept': { aggregation: 'sum', expression: '{[Orders].[Amount]} - {[Returns].[Amount]}', anchor: 'Customers' },
  },
  metrics: {
    One: { expression: '1' },
    Mean: mean('Sales'),
    'Mean Before': lastMonth('Mean'),
    'Mean So Far': soFar('Mean'),
    'Sum of Mean': soFar('Mean', { cumulativeType: 'sum' }),
    'Mean of Last Month': mean('Sales Last Month'),
    'Region So Far': soFar('Sales of Region'),
    'Mean of Region': mean('Sales of Region'),
    'Mean of Region So Far': soFar('Mean of Region'),
    Best: { type: 'aggregate', measure: 'Mean', aggregation: 'max', per: ['Region'] },
    'Best So Far': soFar('Best'),
    'Region Last Month': lastMonth('Sales of Region'),
    'Rank of Paid': { type: 'window', windowFunction: 'rank', measure: 'Paid of Region' },
    Funnel: { type: 'funnel', steps, entity: 'Customer', window: '7d', calculation: 'count', distinct: true },
  },
})

const ask = (dimensions: readonly string[], measures: readonly string[], more: object = {}, of: SemanticModel = model) =>
  boundAggregate({ select: { dimensions, measures }, ...more }, of)
const all = (dimensions: readonly string[], measures: readonly string[], more: object = {}, of: SemanticModel = model) =>
  bound({ select: { dimensions, measures }, ...more }, of)

/** Like `Orders: Sales by Region`. */
const block = ({ base, aggregates, groupBy }: BoundBlock): string =>
  `${base}: ${aggregates.map(({ name }) => name).join(', ')} by ${groupBy.map(({ name }) => name).join(', ')}`
const legs = ({ legs: found, nested }: BoundAggregateQuery): readonly string[] => [
  ...found.map((leg) => `${block(leg.block)}${leg.contributesRows ? '' : ' (no rows)'}${leg.over ? ' in windows' : ''}`),
  ...nested.map(({ name, addsRows }) => `${name}${addsRows ? ' (adds rows)' : ''}`),
]
const lookups = ({ lookups: found }: BoundAggregateQuery): readonly string[] =>
  found.map((one) => `${block(one.block)}${one.isWhole ? ' (whole)' : ''}${one.addsRows ? ' (adds rows)' : ''}`)

t.test('a block at the grain of the query creates its rows', async (t) => {
  t.same(legs(ask(['Region'], ['Sales', 'Order Count', 'Returned'])), [
    'Orders: Sales, Order Count by Region',
    'Returns: Returned by Region',
  ])
  t.same(lookups(ask(['Region'], ['Sales'])), [])
  t.same(legs(ask([], ['Sales'])), ['Orders: Sales by '])
  t.same(all(['Region'], ['Sales', 'Returned']).bases, ['Orders', 'Returns'])
})

t.test('coarser values and other periods are looked up', async (t) => {
  const coarse = ask(['Region', 'Customer'], ['Sales', 'Sales of Region'])
  t.same(legs(coarse), ['Orders: Sales by Region, Customer'])
  t.same(lookups(coarse), ['Orders: Sales of Region by Region'])
  const before = ask(['Day:month', 'Region'], ['Sales', 'Sales Last Month'])
  t.same(legs(before), ['Orders: Sales by Day:month, Region'])
  t.same(lookups(before), ['Orders: Sales (-1 month) by Day:month, Region (whole) (adds rows)'])
  t.same(
    lookups(ask(['Day:month'], ['Sales Last Month'])),
    ['Orders: Sales (-1 month) by Day:month'],
    'months of the answer alone',
  )
  t.same(all(['Region', 'Customer'], ['Sales', 'Sales of Region']).bases, ['Orders', 'Orders'])
})

t.test('a value in windows is read for each row, unless its grain has no time', async (t) => {
  const running = ask(['Day:month'], ['Running Sales'])
  t.same(
    running.cumulative.map((one) => block(one.block)),
    ['Orders: Sales (running) by Day:month'],
  )
  t.same(lookups(running), [])
  const whole = ask(['Day:month', 'Region'], ['Region So Far'])
  t.same(whole.cumulative, [])
  t.same(lookups(whole), ['Orders: Sales of Region by Region', 'Orders: Sales of Region (running) by Region'])
})

t.test('without a block at the grain of the query, coarser values give the tuples of their rows', async (t) => {
  t.same(legs(ask(['Region', 'Customer'], ['Sales of Region'])), ['Orders:  by Region, Customer'])
  t.same(legs(ask(['Region', 'Customer'], ['Sales of Region', 'Returned of Region'])), [
    'Orders:  by Region, Customer',
    'Returns:  by Region, Customer',
  ])
  t.same(legs(ask(['Region', 'Customer'], ['Sales of Region', 'Mean'])), ['Mean (found)'], 'an inner query has rows')
  t.same(legs(ask(['Region', 'Customer'], ['One'])), ['Customers:  by Region, Customer'], 'the dimensions alone')
  t.same(
    legs(ask(['Day:month', 'Region'], ['Region So Far'])),
    ['Orders:  by Day:month, Region'],
    'not once more for its windows',
  )
  const before = ask(['Day:month', 'Region', 'Customer'], ['Region Last Month'])
  t.same(legs(before), ['Orders:  by Day:month, Region, Customer'], 'nor for another period')
  t.throws(() => ask([], ['One']), { code: 'INVALID_QUERY', path: 'select.measures', message: /the answer has no rows/ })
})

t.test('a query can name the object whose rows it shows', async (t) => {
  const ofOrders = { rows_of: 'Orders' }
  t.same(legs(ask(['Region'], ['Returned'], ofOrders)), ['Orders:  by Region', 'Returns: Returned by Region'])
  t.same(legs(ask(['Region'], ['Sales'], ofOrders)), ['Orders: Sales by Region'], 'a block has its rows')
  t.same(
    legs(ask(['Region'], ['Paid Sales'], ofOrders)),
    ['Orders:  by Region', 'Orders: Paid Sales by Region'],
    'only some of them',
  )
  t.same(legs(ask(['Region', 'Customer'], ['Returned', 'Sales of Region'], ofOrders)), [
    'Orders:  by Region, Customer',
    'Returns: Returned by Region, Customer',
  ])
})

t.test('an inner query creates rows at the grain of the query and at its period', async (t) => {
  t.same(legs(ask(['Region'], ['Mean', 'Sales'])), ['Orders: Sales by Region', 'Mean (found)'])
  t.same(legs(ask([], ['Mean', 'Sales'])), ['Orders: Sales by ', 'Mean (found)'])
  t.same(all(['Region'], ['Mean']).bases, ['Orders'])
  t.same(
    ask(['Region'], ['Mean']).nested.map(({ base }) => base),
    ['Orders'],
  )
})

t.test('at another period it adds rows that differ in more than the time', async (t) => {
  t.same(legs(ask(['Day:month', 'Region'], ['Mean Before'])), ['Mean (found)', 'Mean (-1 month, found) (adds rows)'])
  t.same(legs(ask(['Day:month'], ['Mean Before'])), ['Mean (found)', 'Mean (-1 month, found)'])
  t.same(all(['Day:month', 'Region'], ['Mean Before']).bases, ['Orders'], 'it is not where the rows begin')
})

t.test('an inner query in windows runs over the rows, and its own blocks in the windows', async (t) => {
  const running = ask(['Day:month', 'Region'], ['Mean So Far'])
  t.same(
    running.nestedOverRows.map(({ name }) => name),
    ['Mean (running, found)'],
  )
  t.notOk(running.nested.some(({ name }) => name.includes('running')))
  const [inner] = running.nestedOverRows
  t.same(legs(inner!.query), ['Orders: Sales (running) by Day:month, Region, Customer in windows'])
  const region = ask(['Day:month', 'Region'], ['Mean of Region So Far']).nestedOverRows[0]
  t.same(legs(region!.query), ['Orders:  by Day:month, Region, Customer in windows'])
})

t.test('an inner query within one in windows runs over the same windows', async (t) => {
  const [best] = ask(['Day:month'], ['Best So Far']).nestedOverRows
  t.same(best?.query.nestedOverRows, [])
  t.equal(best?.query.nested.length, 1)
})

t.test('the tuples of a coarse value are those of its own rows', async (t) => {
  const { legs: found } = ask(['Region', 'Customer'], ['Sales of Region', 'Rank of Paid', 'Customer Count'])
  const tuples = found.filter(({ block }) => block.where.length > 0)
  t.same(
    tuples.map((leg) => leg.block.where.map(({ expression }) => said(expression))),
    [["(Orders.status = 'paid')"]],
  )
})

t.test('values of another grain or period are looked up', async (t) => {
  const query = ask(['Day:month', 'Region'], ['Mean Before'])
  const [own, before] = query.nested
  t.equal(isLookedUp(own!, query), false)
  t.equal(isLookedUp(before!, query), true)
  t.equal(isLookedUp({ ...own!, dimensions: [] }, query), true)
})

t.test('values over those of a query are a fold', async (t) => {
  const { folds } = ask(['Day:month'], ['Sum of Mean'])
  t.same(
    folds.map(({ query }) => legs(query)),
    [['Mean (found)']],
  )
  t.same(ask(['Day:month'], ['Mean']).folds, [])
})

t.test('gaps are filled by the clock and the calendars of the query', async (t) => {
  t.equal(ask(['Day:month'], ['Sales']).fill, undefined)
  t.match(ask(['Day:month'], ['Sales'], { fill_gaps: true }).fill, {
    clocks: { zone: 'UTC', weekStart: 'monday' },
    calendars: [],
    days: { named: undefined, left: undefined },
  })
})

t.test('the rules that changed a request are told, also of inner queries', async (t) => {
  const where = [{ field: 'Day', op: 'gte', value: '2024-01-01' }]
  t.same(all(['Day:month'], ['Sales Last Month'], { where }).rules, ['near-periods'])
  t.same(all(['Day:month'], ['Mean of Last Month'], { where }).rules, ['near-periods'])
  t.same(all(['Day:month'], ['Sales']).rules, [])
})

const warnings = (...asked: Parameters<typeof all>): readonly string[] =>
  all(...asked).warnings.map(({ code, message }) => `${code}: ${message}`)

t.test('a row in several groups is a warning, once', async (t) => {
  const message =
    "OVERLAPPING_GROUPS: a row of 'Orders' can be in several groups of 'Product', so the groups may not add up to the total"
  t.same(warnings(['Product'], ['Sales', 'Order Count']), [message])
  t.same(warnings(['Region'], ['Sales']), [])
  const matching = shopWith(MATCHING_RETURNS)
  t.ok(warnings(['Region'], ['Returned'], {}, matching).length > 0)
})

t.test('an entity of a funnel is counted in each group of its first events', async (t) => {
  const message =
    "OVERLAPPING_GROUPS: 'Funnel' counts an entity in each group of its first events, so the groups may not add up to the total"
  t.same(warnings(['Status'], ['Funnel']), [message])
  t.same(warnings([], ['Funnel']), [], 'without groups it is one')
})

t.test('an expression over several facts without an anchor is a warning', async (t) => {
  t.match(warnings(['Region'], ['Kept']), [/^CONFORMED_GRAIN_ASSUMED: 'Kept' reads several facts that share 'Customers'/])
  t.same(warnings(['Region'], ['Sold and Kept']), [])
})

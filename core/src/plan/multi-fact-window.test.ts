/** Several facts over the rows of each window: each is summed in the windows before they are joined. */
import t from 'tap'
import { aggregateQuery, contextOf } from '../../../test/support/bound.js'
import { manyToOne, shopWith } from '../../../test/support/models.js'
import { nodesIn, own, scan, shared } from '../../../test/support/plans.js'
import { blockRequests } from '../bind/block-requests.js'
import { bindInWindows } from '../bind/facts-in-windows.js'
import { planMultiFactWindow } from './multi-fact-window.js'

const kept = { aggregation: 'sum', expression: '{[Orders].[Amount]} - {[Returns].[Amount]}', anchor: 'Customers' }
const facts = { joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Days', 'Day', { columnsTo: ['Day'] })] }
const model = shopWith({
  dataObjects: {
    Days: { code: 'days', columns: { Day: { code: 'day', abstractType: 'date', primaryKey: true } } },
    ...{ Orders: facts, Returns: facts },
  },
  dimensions: { Date: { dataObject: 'Days', column: 'Day' } },
  measures: { Kept: kept },
  metrics: {
    'Kept So Far': { type: 'cumulative', measure: 'Kept', timeDimension: 'Date' },
  },
})
const rows = shared(scan('answer'), [own('Date:month')])

function planned(dimensions: readonly string[], of = model) {
  const requests = blockRequests(aggregateQuery({ select: { dimensions, measures: ['Kept So Far'] } }, of))
  const { request, window } = requests.find((one) => one.window) ?? {}
  if (!request || !window) throw new Error('no window')
  const { block, over } = bindInWindows(request, window, contextOf(of))
  if (!over.facts) throw new Error('one fact')
  return { over: over.facts, plan: planMultiFactWindow(block, over.facts, over.window, rows) }
}
const legsOf = (...of: Parameters<typeof planned>) => nodesIn(planned(...of).plan, 'combine').flatMap(({ legs }) => legs)

t.test('each fact is summed over the rows of its windows', async (t) => {
  const { plan, over } = planned(['Date:month'])
  t.equal(plan.kind, 'aggregate')
  t.equal(plan.alias, 'running')
  const legs = legsOf(['Date:month']).filter(({ values }) => values.length > 0)
  t.equal(legs.length, over.facts.length)
  for (const { input, name, values } of legs) {
    if (input.kind !== 'aggregate') throw new Error(input.kind)
    t.equal(input.alias, name, 'under the name by which it is read')
    t.same(
      input.aggregates.map((one) => [one.name, one.aggregate]),
      values.map((value) => [value.name, 'sum']),
    )
    t.equal(nodesIn(input, 'join').filter(({ window }) => window !== undefined).length, 1)
  }
})

t.test('rows of the base are in every window if their time is none of theirs', async (t) => {
  const { over } = planned(['Date:month'])
  const bases = legsOf(['Date:month']).filter(({ values }) => values.length === 0)
  t.equal(bases.length, over.own ? 1 : 0)
  for (const { input, contributesRows } of bases) {
    t.ok(contributesRows)
    t.equal(nodesIn(input, 'join').filter(({ type }) => type === 'cross').length, 1)
  }
})

t.test('where the facts have other groups than their time, each says which rows there are', async (t) => {
  const shop = { code: 'shop_id', abstractType: 'int' }
  const ofShops = { columns: { Shop: shop }, joins: [...facts.joins, manyToOne('Shops', 'Shop')] }
  const shops = shopWith({
    dataObjects: {
      Days: { code: 'days', columns: { Day: { code: 'day', abstractType: 'date', primaryKey: true } } },
      Shops: { code: 'shops', columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true } } },
      ...{ Orders: ofShops, Returns: ofShops },
    },
    dimensions: { Date: { dataObject: 'Days', column: 'Day' }, Shop: { dataObject: 'Shops', column: 'Id' } },
    measures: { Kept: kept },
    metrics: { 'Kept So Far': { type: 'cumulative', measure: 'Kept', timeDimension: 'Date' } },
  })
  t.same(
    legsOf(['Date:month', 'Shop'], shops).map(({ values, contributesRows }) => [values.length, contributesRows]),
    [
      [1, true],
      [1, true],
    ],
  )
})

t.test('what only the base says stands beside the sums, which are computed once', async (t) => {
  const { over, plan } = planned(['Date:month', 'Region'])
  const stages = nodesIn(plan, 'project').filter(({ stage }) => stage === true)
  t.equal(stages.length, over.facts.length)
  for (const { beside } of over.facts) {
    const names = stages.find(({ alias }) => alias === beside?.alias)?.columns.map(({ name }) => name) ?? []
    t.ok(
      ['Id', 'Date:month', 'Region'].every((name) => names.some((own) => own.endsWith(name))),
      names.join(),
    )
  }
  t.same(
    nodesIn(planned(['Date:month']).plan, 'project').filter(({ stage }) => stage === true),
    [],
  )
})

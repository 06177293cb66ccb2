/** The rows of a block: the joins that its expressions need, the connections with their weights, and what is read over them. */
import t from 'tap'
import { aggregateQuery, boundAggregate, contextOf } from '../../../test/support/bound.js'
import { joining, manyToOne, PARCELS_AND_LABELS, shopWith } from '../../../test/support/models.js'
import { said, saidJoins, saidTerms } from '../../../test/support/said.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { bindBlock } from './bind-block.js'
import { blockRequests } from './block-requests.js'
import type { BoundBlock, BridgeRelation } from './bound-block.js'
import { boundFrom } from './bound-from.js'
import { connectedRows } from './connected-rows.js'

const reference = (code: string) => ({ code, abstractType: 'int' })
const tags = {
  code: 'order_tags',
  bridge: true,
  columns: { Order: reference('order_id'), Tag: reference('tag_id'), Part: { code: 'part', abstractType: 'float' } },
  joins: [manyToOne('Orders', 'Order'), manyToOne('Tags', 'Tag')],
  weight: 'Part',
}
const model = shopWith(
  PARCELS_AND_LABELS,
  {
    dataObjects: {
      Tags: {
        code: 'tags',
        columns: { Id: { ...reference('id'), primaryKey: true }, Word: { code: 'word', abstractType: 'string' } },
      },
      'Order Tags': tags,
    },
    dimensions: { Tag: { dataObject: 'Tags', column: 'Word' } },
    measures: { Kept: { aggregation: 'sum', expression: '{[Orders].[Amount]} - {[Returns].[Amount]}', anchor: 'Customers' } },
    metrics: {
      Converted: {
        type: 'conversion',
        base: 'Order Count',
        conversion: 'Return Count',
        entity: 'Customer',
        window: '7 day',
        calculation: 'count',
      },
    },
  },
  {
    dimensions: { 'Returned On': { dataObject: 'Returns', column: 'Day' } },
    measures: { 'Return Count': { aggregation: 'count', columns: [{ dataObject: 'Returns', column: 'Id' }] } },
  },
)

function block(
  dimensions: readonly string[],
  measures: readonly string[] = ['Sales'],
  where: readonly object[] = [],
  of: SemanticModel = model,
): BoundBlock {
  const [planned] = blockRequests(aggregateQuery({ select: { dimensions, measures }, where }, of))
  return bindBlock(planned!.request, contextOf(of))
}
const weight = (...asked: Parameters<typeof block>): string | undefined => {
  const found = block(...asked).weight
  return found && `${said(found.expression)} by ${found.distinguishedBy.map(({ expression }) => said(expression)).join(', ')}`
}
const alike = (relation: BridgeRelation | undefined) =>
  relation && (typeof relation.alike === 'string' ? relation.alike : `sum of ${said(relation.alike.weight.expression)}`)

t.test('only what is read is joined', async (t) => {
  t.same(saidJoins(block([]).from.base), [])
  t.same(saidJoins(block(['Region']).from.base), [
    'left Customers on (Orders.customer_id = Customers.id)',
    'left Regions on (Customers.region_id = Regions.id)',
  ])
  t.same(saidJoins(block([], ['Sales'], [{ field: 'Customer', op: 'equals', value: 'Ann' }]).from.base), [
    'left Customers on (Orders.customer_id = Customers.id)',
  ])
})

t.test('groups and conditions are read over the joined rows', async (t) => {
  const { groupBy, where } = block(['Region', 'Product'], ['Sales'], [{ field: 'Status', op: 'equals', value: 'paid' }])
  t.same(
    groupBy.map(({ name, expression }) => `${name}: ${said(expression)}`),
    ['Region: Regions.name', 'Product: Items.product'],
  )
  t.same(
    where.map(({ expression }) => said(expression)),
    ["(Orders.status = 'paid')"],
  )
})

t.test('a row set without conditions or values reads its groups alone', async (t) => {
  const base = connectedRows(contextOf(model), { base: 'Orders', bridges: new Set(), separate: new Set() })
  const { from, groupBy, where, weight: none } = boundFrom(base, { groups: [] })
  t.same([from.bridges, from.facts, from.top, groupBy, where, none], [[], undefined, undefined, [], [], undefined])
})

t.test('a connection is joined on the link, with the rows that it reads', async (t) => {
  const [bridge, ...others] = block(['Product']).from.bridges
  t.same(others, [])
  t.equal(saidTerms(bridge!.on), '(Orders.id = Items.order_id)')
  t.match(bridge, { label: { from: 'Orders', to: 'Items', reason: 'bridge: the rows that connect, or one empty row' } })
  t.equal(bridge?.relation, undefined, 'a single one is joined as it is')
  t.notOk('matchedBy' in bridge!)
})

t.test('a weight is part of what is read, and several are multiplied', async (t) => {
  t.match(weight(['Label']), /share.* by $/)
  t.equal(weight(['Product']), undefined)
  t.equal(weight([]), undefined)
  const [labels] = block(['Label']).from.bridges
  t.same(saidJoins(labels!.rows), ['left Labels on (Order Labels.label_id = Labels.id)'])
  const both = block(['Label', 'Tag'])
  t.match(weight(['Label', 'Tag']), / \* /)
  t.equal(both.weight?.type.kind, 'float')
})

t.test('of several connections, those with weights tell equal rows apart', async (t) => {
  const mixed = block(['Label', 'Product'])
  const names = mixed.weight?.distinguishedBy.map(({ name }) => name) ?? []
  const [labels, items] = ['Order Labels', 'Items'].map((node) => mixed.from.bridges.find(({ label }) => label.to === node))
  t.ok(names.length > 0)
  t.same(
    names,
    labels?.relation?.columns.map(({ name }) => name),
  )
  t.equal(alike(labels?.relation), 'sum of Order Labels.share')
  t.equal(alike(items?.relation), 'one')
  t.equal(weight(['Tag'])?.endsWith(' by '), true, 'one alone needs nothing')
})

t.test('facts are joined by the columns of the row where they meet', async (t) => {
  const { from } = block(['Region'], ['Kept'])
  t.equal(saidTerms(from.facts!.on).split(' = ')[0], '(Customers.id')
  t.same(saidJoins(from.base), ['left Regions on (Customers.region_id = Regions.id)'])
  t.equal(block(['Region']).from.facts, undefined)
})

t.test('events that convert are joined, and nothing else is joined for them', async (t) => {
  t.same(
    block(['Status'], ['Converted']).from.base.joins.map(({ right }) => right.kind),
    ['scan', 'converted'],
  )
})

t.test('of the top values, the last dimension is joined with its terms', async (t) => {
  const top = { dimension: 'Region', n: 3, by: 'Sales' }
  const { legs } = boundAggregate({ select: { dimensions: ['Status', 'Region'], measures: ['Sales'] }, top }, model)
  const [{ block: made }] = legs as [(typeof legs)[number]]
  t.match(made.from.top, { type: 'inner', label: { to: 'Region' } })
  t.match(saidTerms(made.from.top!.on), 'Regions.name')
  t.same(saidJoins(made.from.base).length, 2, 'the value is joined for the condition')
})

t.test('a connection whose rows all refer says by which column', async (t) => {
  const refers = shopWith(joining('Items', manyToOne('Orders', 'Order Id', { foreignKey: true })))
  t.same(block(['Product'], ['Sales'], [], refers).from.bridges[0]?.matchedBy?.map(said), ['Items.order_id'])
})

t.test('a required join is there for its rows', async (t) => {
  const required = shopWith(joining('Orders', manyToOne('Customers', 'Customer Id', { required: true })))
  t.same(saidJoins(block([], ['Sales'], [], required).from.base), ['inner Customers on (Orders.customer_id = Customers.id)'])
})

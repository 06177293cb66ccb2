/** One fact: a scan of its base, its joins, its conditions and one aggregation. */
import t from 'tap'
import { bound, legsOf } from '../../../test/support/bound.js'
import { shop, shopWith } from '../../../test/support/models.js'
import { outline, shopWithDimension } from '../../../test/support/outline.js'
import { above, column, leg, named, nodesIn, scan } from '../../../test/support/plans.js'
import { said } from '../../../test/support/said.js'
import type { BoundAggregate, BoundBlock } from '../bind/bound-block.js'
import { INT } from '../model/data-type.js'
import { TRUE } from '../resolve/expressions.js'
import { planBlock, planBlockKeys, planBlockRows, planUntaken } from './block.js'
import type { NamedAggregate, NamedExpr } from './logical-plan.js'

const ROWS: readonly (readonly [title: string, query: unknown, plan: string])[] = [
  [
    'a fact is one scan and one aggregation',
    { select: { dimensions: ['Status'], measures: ['Revenue'] } },
    `
project Status, Revenue
  aggregate Revenue = sum(orders.amount) by Status = orders.status ('Revenue' at the rows of 'Orders')
    scan Orders as orders`,
  ],
  [
    'conditions are met before rows are aggregated',
    { select: { dimensions: ['Country'], measures: ['Revenue'] }, where: [{ field: 'Status', op: '=', value: 'new' }] },
    `
project Country, Revenue
  aggregate Revenue = sum(orders.amount) by Country = customers.country ('Revenue' at the rows of 'Orders')
    filter (orders.status = 'new') (where on 'Status')
      join left on (orders.customer_id = customers.id) (the join by the path rule)
        scan Orders as orders
        scan Customers as customers`,
  ],
  [
    'a join that every row must have met is an inner one',
    { select: { dimensions: ['Status'], measures: ['Revenue'] }, where: [{ field: 'Country', op: '=', value: 'NL' }] },
    `
project Status, Revenue
  aggregate Revenue = sum(orders.amount) by Status = orders.status ('Revenue' at the rows of 'Orders')
    filter (customers.country = 'NL') (where on 'Country')
      join inner on (orders.customer_id = customers.id) (the join by the path rule)
        scan Orders as orders
        scan Customers as customers`,
  ],
  [
    'a row that is in a group several times is made distinct first',
    { select: { dimensions: ['SKU'], measures: ['Revenue'] } },
    `
project SKU, Revenue
  aggregate Revenue = sum(orders_once.value_1) by SKU ('Revenue' at the rows of 'Orders')
    distinct SKU = items.sku, key_1 = orders.id, value_1 = orders.amount (each row of 'Orders' once in each of its groups)
      join left on (orders.id = items.order_id) (bridge: the rows that connect, or one empty row)
        scan Orders as orders
        scan Items as items`,
  ],
  [
    'dimensions alone are the tuples that occur',
    { select: { dimensions: ['Country', 'Status'] } },
    `
project Country, Status
  aggregate distinct by Country = customers.country, Status = orders.status (the tuples at 'Orders')
    join left on (orders.customer_id = customers.id) (the join by the path rule)
      scan Orders as orders
      scan Customers as customers`,
  ],
]

/** Names that the planner also gives to its own columns. */
for (const name of ['value_1', 'key_1', 'VALUE_1'])
  t.test(`a dimension may be called ${name}`, (t) => {
    const model = shopWithDimension(`${name}: { dataObject: Items, column: SKU }`)
    const [, , distinct = ''] = outline({ select: { dimensions: [name], measures: ['Revenue'] } }, model)
    const columns = distinct.match(/(?<=distinct |, )\w+(?= = )/g) ?? []
    t.equal(columns.length, 3)
    t.equal(new Set(columns.map((column) => column.toLowerCase())).size, 3, distinct)
    t.end()
  })

for (const [title, query, plan] of ROWS)
  t.test(title, (t) => {
    t.equal(`\n${outline(query).join('\n')}`, plan)
    t.end()
  })

const blockOf = (dimensions: readonly string[], measure = 'Sales'): BoundBlock =>
  legsOf(bound({ select: { dimensions, measures: [measure] } }, shop))[0]!
/** The block with a first aggregate that is partly another one. */
const aggregating = (block: BoundBlock, more: Partial<BoundAggregate>): BoundBlock => ({
  ...block,
  aggregates: block.aggregates.map((one, i) => (i === 0 ? { ...one, ...more } : one)),
})
const [paid, payer] = [above(column('orders', 'paid')), column('orders', 'payer')]
const typed = (expression: typeof payer) => ({ expression, type: INT })
const columnsOf = (columns: readonly NamedExpr[]) => columns.map(({ name, expression }) => `${name} = ${said(expression)}`)
const callOf = (call: NamedAggregate | undefined) => call && `${call.aggregate}(${call.args.map(said).join(', ')})`

t.test('the inputs of aggregates are columns of rows, of which a filter leaves some', async (t) => {
  const rows = (more: Partial<BoundAggregate>) => columnsOf(planBlockRows(aggregating(blockOf(['Product']), more)).columns)
  const keys = ['Product = Items.product', 'key_1 = Orders.id']
  t.same(rows({ args: [] }), keys, 'a count of rows reads nothing')
  t.same(rows({ args: [], filter: paid }), [...keys, 'value_1 = case (orders.paid > 0): 1'])
  t.same(rows({ args: [typed(payer)] }), [...keys, 'value_1 = orders.payer'])
  t.same(
    rows({ args: [typed(payer), typed(column('orders', 'day'))], filter: paid }),
    [...keys, 'value_1 = case (orders.paid > 0): orders.payer', 'value_2 = orders.day'],
    'the first argument is absent where the filter is not met',
  )
  const met = planBlockRows(aggregating(blockOf(['Product']), { args: [typed(payer)], onlyWith: paid }))
  t.same(columnsOf(met.columns).slice(2), ['value_1 = orders.payer', 'met_2 = case (orders.paid > 0): 1'])
  t.match(said(met.aggregates[0]!.onlyWith!), /\.met_2 is not null$/)
  t.notOk('onlyWith' in { ...planBlockRows(blockOf(['Product'])).aggregates[0] })
  const beside = [named('Note', payer), named('Other', column('orders', 'day'))]
  const shown = planBlockRows({ ...aggregating(blockOf(['Product']), { args: [] }), beside })
  t.same(columnsOf(shown.columns).slice(2), ['field_1 = orders.payer', 'field_2 = orders.day'])
})

t.test('for aggregates that ignore duplicates, each value of a group is read once', async (t) => {
  const { plan, distinct, columns } = planBlockKeys(blockOf(['Product']))
  t.equal(plan.kind === 'distinct' && plan.input.kind, 'join', 'the rows themselves')
  t.notOk(distinct)
  t.same(columnsOf(columns), ['Product = Items.product', 'value_1 = Orders.amount'])
})

t.test('a row that has a part of its base row counts with its weight', async (t) => {
  const weight = { expression: column('labels', 'share'), type: INT, distinguishedBy: [] }
  const call = (more: Partial<BoundAggregate>): string | undefined =>
    callOf(planBlock({ ...aggregating(blockOf(['Region']), more), weight }, 'groups').aggregates[0])
  const args = [typed(payer)]
  t.equal(call({ args }), 'sum((orders.payer * labels.share))')
  t.equal(call({ args, filter: paid }), 'sum(case (orders.paid > 0): (orders.payer * labels.share))')
  t.equal(
    call({ aggregate: 'avg', args }),
    'weighted_avg((orders.payer * labels.share)::float, case orders.payer is not null: labels.share::float)',
    'a row without a value has no part in the average',
  )
  t.equal(
    call({ aggregate: 'count_if', args: [{ ...typed(payer), expression: paid }] }),
    'weighted_count(case (orders.paid > 0): labels.share)',
  )
  t.equal(call({ aggregate: 'count', args }), 'weighted_count(case orders.payer is not null: labels.share)')
  t.equal(call({ aggregate: 'count', args: [] }), 'weighted_count(labels.share)', 'rows are counted, whatever they have')
  t.equal(
    call({ aggregate: 'count', args, filter: paid }),
    'weighted_count(case ((orders.paid > 0) and orders.payer is not null): labels.share)',
  )
  const only = (onlyWith: BoundAggregate['onlyWith']) =>
    planBlock({ ...aggregating(blockOf(['Region']), { args, onlyWith }), weight }, 'groups').aggregates[0]!
  t.same(only(TRUE).onlyWith, TRUE)
  t.notOk(only(undefined).onlyWith)
  const connected = {
    ...weight,
    distinguishedBy: [named('Kind', column('labels', 'kind')), named('Sort', column('labels', 'sort'))],
  }
  t.same(columnsOf(planBlockRows({ ...blockOf(['Product']), weight: connected }).columns).slice(3), [
    'connection_1 = labels.kind',
    'connection_2 = labels.sort',
    'weight = labels.share',
  ])
})

t.test('facts that are joined, and the rows of customers, are planned, unless their rows are known', async (t) => {
  const query = { select: { measures: ['Sales by Returns'] } }
  const measure = { aggregation: 'sum', expression: '{[Orders].[Amount]} * {[Returns].[Amount]}' }
  const [block] = legsOf(bound(query, shopWith({ measures: { 'Sales by Returns': measure } })))
  const names = (plan: ReturnType<typeof planUntaken>) =>
    nodesIn(plan, 'combine').map(({ legs }) => legs.map(({ input }) => input.kind))
  t.same(names(planUntaken(block!, 'sums')), [['aggregate', 'aggregate', 'aggregate']])
  const legs = [{ ...leg(scan('known'), []), base: 'Orders' }]
  t.same(names(planUntaken(block!, 'sums', legs)), [['scan']])
})

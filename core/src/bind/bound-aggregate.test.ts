/** A count of keys counts rows where every row is there once. */
import t from 'tap'
import { aggregateQuery, contextOf } from '../../../test/support/bound.js'
import { compileFor, loadText } from '../../../test/support/compile.js'
import { shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import type { ResolvedAggregate } from '../resolve/resolved-query.js'
import { blockRequests, type PlannedRequest } from './block-requests.js'
import { boundAggregate } from './bound-aggregate.js'
import { rowsOf } from './rows.js'

const model = loadText(`
version: 1
name: shop
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Status: { code: status, abstractType: string }
  Lines:
    code: lines
    columns:
      Order Id: { code: order_id, abstractType: int, primaryKey: true }
      Number: { code: number, abstractType: int, primaryKey: true }
      Product: { code: product, abstractType: string }
    joins: [{ joinType: many-to-one, joinTo: Orders, columnsFrom: [Order Id], columnsTo: [Id] }]
dimensions:
  Status: { dataObject: Orders, column: Status }
  Product: { dataObject: Lines, column: Product }
measures:
  Order Ids: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Id }] }
  Same Ids: { aggregation: count, distinct: true, columns: [{ dataObject: Orders, column: Id }] }
  Paid Ids: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Id }], filters: [{ field: Orders.Status, op: eq, value: paid }] }
  Distinct States: { aggregation: count, distinct: true, columns: [{ dataObject: Orders, column: Status }] }
  States: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Status }] }
  Numbers: { aggregation: count_distinct, columns: [{ dataObject: Lines, column: Number }] }
  Orders of Lines: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Id }], anchor: Lines }
  Fanned Ids: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Id }], allowFanOut: true }
`)

const sqlOf = (measures: readonly string[], dimensions: readonly string[] = []): string =>
  compileFor({ select: { dimensions, measures } }, model).sql

for (const measure of ['Order Ids', 'Same Ids'])
  t.test(`${measure}: the key of each row`, async (t) => t.match(sqlOf([measure], ['Status']), 'COUNT(*)'))

t.test('the keys of some rows', async (t) =>
  t.match(sqlOf(['Order Ids', 'Paid Ids'], []), `COUNT(CASE WHEN "orders"."status" = 'paid' THEN 1 END)`),
)

const DISTINCT: readonly (readonly [title: string, measure: string, ...dimensions: readonly string[]])[] = [
  ['a column that is no key', 'States'],
  ['a part of a key', 'Numbers'],
  ['the key of an object that rows are joined to', 'Orders of Lines'],
  ['a key of rows that are there for each of their lines', 'Fanned Ids', 'Product'],
]

for (const [title, measure, ...dimensions] of DISTINCT)
  t.test(`${title} is counted once`, async (t) => t.match(sqlOf([measure], dimensions), 'COUNT(DISTINCT'))

// ---- what is aggregated ---------------------------------------------------------------------------------------------------------------

const level = { dataObject: 'Orders', column: 'Amount' }
const of = (aggregation: string, more: object = {}) => ({ aggregation, columns: [level], ...more })
const byDay = { orderBy: [{ column: { dataObject: 'Orders', column: 'Day' } }] }
const shop = shopWith({
  dataObjects: { Returns: { columns: { Id: { primaryKey: false } } } },
  measures: {
    First: of('first', byDay),
    'First by Key': of('first'),
    'First by Both': of('first', { orderBy: [...byDay.orderBy, { column: { dataObject: 'Orders', column: 'Id' } }] }),
    'First Return': {
      aggregation: 'first',
      columns: [{ dataObject: 'Returns', column: 'Amount' }],
      orderBy: [{ column: { dataObject: 'Returns', column: 'Day' } }],
    },
    'Some Return': { aggregation: 'first', expression: '{[Returns].[Amount]} + {[Customers].[Id]}' },
    'Apple Orders': {
      aggregation: 'count',
      columns: [{ dataObject: 'Orders', column: 'Id' }],
      filters: [{ field: 'Items.Product', op: 'equals', value: 'apple' }],
    },
    'Distinct Sales': of('sum', { distinct: true }),
  },
})

function aggregateOf(
  measure: string,
  change: Partial<ResolvedAggregate> = {},
  dimensions: readonly string[] = ['Region'],
  model = shop,
) {
  const [{ request }] = blockRequests(aggregateQuery({ select: { dimensions, measures: [measure] } }, model)) as [PlannedRequest]
  const aggregate = { ...request.aggregates[0]!, ...change }
  const { args, orderBy, filter, onlyWith, ...rest } = boundAggregate(
    aggregate,
    request,
    rowsOf(contextOf(model), request.base),
    undefined,
  )
  return {
    ...rest,
    args: args.map(({ expression }) => said(expression)),
    orderBy: orderBy.map(({ expression }) => said(expression)),
    filter: filter && said(filter),
    onlyWith: onlyWith && said(onlyWith),
  }
}

t.test('of rows in an order, one without a place is ignored, and the key breaks ties', async (t) => {
  t.match(aggregateOf('First'), { args: ['case Orders.day is not null: Orders.amount'], orderBy: ['Orders.day', 'Orders.id'] })
  t.match(aggregateOf('First by Key'), { args: ['Orders.amount'], orderBy: ['Orders.id'] })
  t.same(aggregateOf('First by Both').orderBy, ['Orders.day', 'Orders.id'], 'each once')
  t.same(aggregateOf('First by Both').args, ['case Orders.day is not null: Orders.amount'], 'a key is never NULL')
})

t.test('without a key, the value breaks ties, and something must order the rows', async (t) => {
  t.throws(() => aggregateOf('Some Return'), { code: 'INVALID_AGGREGATION_INPUTS', message: /'Some Return' takes the first row/ })
  t.same(aggregateOf('First Return').orderBy, ['Returns.day', 'Returns.amount'])
})

t.test('a time in a list of texts is that of the clocks of the query', async (t) => {
  const timed = shopWith({
    dataObjects: { Orders: { columns: { Day: { abstractType: 'timestamp_tz' } } } },
    measures: {
      Days: { aggregation: 'listagg', columns: [{ dataObject: 'Orders', column: 'Day' }] },
      Last: { aggregation: 'max', columns: [{ dataObject: 'Orders', column: 'Day' }] },
    },
  })
  t.same(aggregateOf('Days', {}, [], timed).args, ["in_zone(Orders.day, 'UTC')"])
  t.same(aggregateOf('Last', {}, [], timed).args, ['Orders.day'])
})

t.test('the filter of the measure, unless it is read on a bridge', async (t) => {
  t.equal(aggregateOf('Paid Sales').filter, "(Orders.status = 'paid')")
  t.equal(aggregateOf('Apple Orders').filter, undefined)
  t.equal(aggregateOf('Sales').filter, undefined)
})

t.test('a count of another time is NULL if no row has one', async (t) => {
  const elsewhere = { isElsewhere: true }
  t.equal(aggregateOf('Order Count').onlyWith, undefined, 'its own time')
  t.equal(aggregateOf('Sales', elsewhere).onlyWith, undefined, 'a sum is NULL anyway')
  t.equal(aggregateOf('Paid Orders', elsewhere).onlyWith, "(Orders.status = 'paid')")
  t.equal(aggregateOf('Order Count', elsewhere).onlyWith, undefined, 'a group without a row is not there')
  t.equal(aggregateOf('Order Count', elsewhere, []).onlyWith, 'true')
  const { shift } = blockRequests(
    aggregateQuery({ select: { dimensions: ['Day:month'], measures: ['Sales', 'Sales Last Month'] } }, shop),
  )[1]!
  t.equal(aggregateOf('Order Count', { ...elsewhere, shift }, []).onlyWith, undefined, 'it is looked up')
})

t.test('only distinct values count if the measure says so', async (t) => {
  t.match(aggregateOf('Buyers'), { aggregate: 'count_distinct', distinct: true, args: ['Orders.customer_id'] })
  t.match(aggregateOf('Distinct Sales'), { aggregate: 'sum', distinct: true })
  t.match(aggregateOf('Sales'), { aggregate: 'sum', distinct: false })
  t.match(aggregateOf('Order Count'), { aggregate: 'count', distinct: false, args: [] })
})

t.test('a count of distinct values has two names', async (t) => {
  const sql = (measure: string) => compileFor({ select: { measures: [measure] } }, model).sql.replace('Distinct States', 'States')
  t.equal(sql('Distinct States'), sql('States'))
})

/** Which conditions hold for the rows of a block: of the model, of the query, and of its measures. */
import t from 'tap'
import { aggregateQuery, contextOf } from '../../../test/support/bound.js'
import { joining, manyToOne, shop, shopWith } from '../../../test/support/models.js'
import { column } from '../../../test/support/plans.js'
import { said } from '../../../test/support/said.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { RowExpr } from '../resolve/relation-column.js'
import { blockConditions } from './block-conditions.js'
import type { BlockRequest } from './block-request.js'
import { blockRequests } from './block-requests.js'
import { connectedRows } from './connected-rows.js'

const kept = { aggregation: 'sum', expression: '{[Orders].[Amount]} - {[Returns].[Amount]}', anchor: 'Customers' }
const apples = {
  aggregation: 'sum',
  columns: [{ dataObject: 'Orders', column: 'Amount' }],
  filters: [{ field: 'Items.Product', op: 'equals', value: 'apple' }],
}
const filtered = shopWith({
  filters: [{ dataObject: 'Customers', column: 'Name', operator: '=', value: 'Ann' }],
  measures: { Kept: kept, Apples: apples },
})
const paid = [{ field: 'Status', op: 'equals', value: 'paid' }]

interface Asked {
  readonly model?: SemanticModel
  readonly measure?: string
  readonly where?: readonly object[]
  readonly more?: Partial<BlockRequest>
  readonly narrowing?: RowExpr
}
function conditions({ model = shop, measure = 'Sales', where = [], more = {}, narrowing }: Asked) {
  const [planned] = blockRequests(aggregateQuery({ select: { measures: [measure] }, where }, model))
  const request = { ...planned!.request, ...more }
  const { base, bridges, separate, multiFact } = request
  const facts = multiFact && { alias: 'facts', keys: multiFact.keys, dimensions: [], legs: [] }
  const connected = connectedRows(contextOf(model), { base, bridges, separate, facts })
  return blockConditions(request, narrowing, connected)
}
const told = (asked: Asked) => conditions(asked).conditions.map(({ expression, reason }) => `${said(expression)}: ${reason}`)

t.test('those of the query, and those of the measures', async (t) => {
  t.same(told({}), [])
  t.same(told({ where: paid }), ["(Orders.status = 'paid'): where on 'Status'"])
  t.same(told({ narrowing: column('t', 'n') }), ['t.n: the measures’ own filters'])
  t.match(
    told({ model: filtered, measure: 'Apples' }).at(-1),
    /product.* = 'apple'\): the measure’s own filter, on the same connection$/,
  )
})

t.test('those of the model, unless the rows are those of a table that has them', async (t) => {
  t.match(told({ model: filtered }), [/Customers\.name = 'Ann'.*: static filter of the model$/])
  t.same(told({ model: filtered, more: { isOfTable: true } }), [])
  const required = shopWith(joining('Orders', manyToOne('Customers', 'Customer Id', { required: true, foreignKey: true })))
  t.same(told({ model: required }), ['Orders.customer_id is not null: a required join drops rows without a match'])
  t.same(told({ model: required, more: { isOfTable: true } }), [])
  const found = shopWith(joining('Orders', manyToOne('Customers', 'Customer Id', { required: true })))
  t.same(
    conditions({ model: found }).presences.map((one) => said(one)),
    ['Customers.id'],
  )
  t.same(conditions({ model: found, more: { isOfTable: true } }).presences, [])
})

t.test('where facts meet, the row of facts without a base row is kept', async (t) => {
  t.match(told({ model: filtered, measure: 'Kept' }), [/^\(Customers\.id is null or \(Customers\.name = 'Ann'\)\)/])
})

t.test('a bound that only leaves out periods that no row looks up says so', async (t) => {
  const isNear = (near: object) => {
    const [planned] = blockRequests(aggregateQuery({ select: { measures: ['Sales'] }, where: paid }, shop))
    const conjuncts = planned!.request.conjuncts.map((one) => ({ ...one, ...near }))
    return conditions({ where: paid, more: { conjuncts } }).conditions.map((one) => one.isNear)
  }
  t.same(isNear({ isNear: true }), [true])
  t.same(isNear({}), [undefined])
  t.notOk('isNear' in conditions({ where: paid }).conditions[0]!)
})

t.test('a field that is compared with an empty list is not read, and must be readable', async (t) => {
  const spent = shopWith({
    dataObjects: { Customers: { columns: { Spent: { measure: 'Sales' } } } },
    dimensions: { Spent: { dataObject: 'Customers', column: 'Spent' } },
  })
  const ofNone = { where: [{ field: 'Spent', op: 'inlist', value: [] }] }
  t.same(
    conditions({ ...ofNone, model: spent }).conditions.map(({ expression }) => said(expression)),
    ['false'],
  )
  const customers = spent.dataObjects.get('Customers')!
  const wrong = { ...customers.columns.get('Spent')!, type: { kind: 'boolean' } } as const
  const object = { ...customers, columns: new Map([...customers.columns, ['Spent', wrong]]) }
  const unreadable = { ...spent, dataObjects: new Map([...spent.dataObjects, ['Customers', object]]) }
  t.throws(() => conditions({ ...ofNone, model: unreadable }), { code: 'INVALID_COLUMN' })
})

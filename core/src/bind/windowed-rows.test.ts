/** The rows of an object that a window column sees, and the call that makes its value. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { joining, manyToOne, shopWith } from '../../../test/support/models.js'
import { said, saidJoins } from '../../../test/support/said.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { type WindowColumn, windowedRows } from './windowed-rows.js'

const over = { partitionBy: ['Customer Id'], orderBy: ['Day'] }
const paid = { field: 'Status', op: 'equals', value: 'paid' }
const windows = {
  Number: { function: 'row_number', ...over },
  'Last Number': { function: 'row_number', ...over, direction: 'desc' },
  'Paid Number': { function: 'row_number', ...over, filters: [paid] },
  Rank: { function: 'rank', orderBy: ['Amount'] },
  'Dense Rank': { function: 'dense_rank', orderBy: ['Amount'] },
  Before: { function: 'lag', column: 'Amount', ...over },
  'Two After': { function: 'lead', column: 'Amount', offset: 2, ...over },
  'So Far': { function: 'sum', column: 'Amount', ...over },
  Counted: { function: 'count', ...over },
  'Counted Days': { function: 'count', column: 'Day', ...over },
  First: { function: 'first_value', column: 'Amount', ...over },
}
const columns = Object.fromEntries(Object.entries(windows).map(([name, window]) => [name, { window }]))
const shop = { dataObjects: { Orders: { columns } } }
const model = shopWith(shop)

function read(name: string, of: SemanticModel = model, object = 'Orders') {
  const column = of.dataObjects.get(object)?.columns.get(name)
  if (column?.source.kind !== 'window') throw new Error(`${name} is no window`)
  return windowedRows(contextOf(of), object, column as WindowColumn)
}
/** Like `sum(Orders.amount) per Orders.customer_id by Orders.day, Orders.id`. */
function call(name: string): string {
  const { function: called, args, partitionBy, orderBy, running } = read(name).call
  const order = orderBy.map(({ expression, descending }) => `${said(expression)}${descending ? ' desc' : ''}`)
  return `${running ? 'running ' : ''}${called}(${args.map(said).join(', ')}) per ${partitionBy.map(said).join(', ')} by ${order.join(', ')}`
}
const where = (...asked: Parameters<typeof read>): readonly string[] =>
  read(...asked).where.map(({ expression }) => said(expression))

t.test('ties are broken by the key, because the rows are numbered', async (t) => {
  t.equal(call('Number'), 'row_number() per Orders.customer_id by Orders.day, Orders.id')
  t.equal(call('Last Number'), 'row_number() per Orders.customer_id by Orders.day desc, Orders.id')
  t.equal(call('First'), 'first_value(Orders.amount) per Orders.customer_id by Orders.day, Orders.id')
})

t.test('equal rows have one rank', async (t) => {
  t.equal(call('Rank'), 'rank() per  by Orders.amount')
  t.equal(call('Dense Rank'), 'dense_rank() per  by Orders.amount')
})

t.test('a function of another row has its distance, and a sum and a count run', async (t) => {
  t.equal(call('Before'), 'lag(Orders.amount, 1) per Orders.customer_id by Orders.day, Orders.id')
  t.equal(call('Two After'), 'lead(Orders.amount, 2) per Orders.customer_id by Orders.day, Orders.id')
  t.equal(call('So Far'), 'running sum(Orders.amount) per Orders.customer_id by Orders.day, Orders.id')
  t.equal(call('Counted'), 'running count(1) per Orders.customer_id by Orders.day, Orders.id', 'rows')
  t.equal(call('Counted Days'), 'running count(Orders.day) per Orders.customer_id by Orders.day, Orders.id')
})

t.test('the value is known by the key of its row', async (t) => {
  const keys = (name: string, of = model, object = 'Orders') =>
    read(name, of, object).keys.map((key) => `${key.name}: ${said(key.expression)} ${key.type.kind}`)
  t.same(keys('Number'), ['key_1: Orders.id int'])
  const ofItems = shopWith({
    dataObjects: { Items: { columns: { Place: { window: { function: 'rank', orderBy: ['Quantity'] } } } } },
  })
  t.same(keys('Place', ofItems, 'Items'), ['key_1: Items.order_id int', 'key_2: Items.line int'])
})

t.test('it sees only the rows that its filters leave', async (t) => {
  t.same(where('Paid Number'), ["(Orders.status = 'paid')"])
  t.same(where('Number'), [])
})

t.test('filters of the model restrict its rows, but for those of its own object that read its value', async (t) => {
  const filtered = (dataObject: string, column: string, more: object = {}) =>
    shopWith(shop, { filters: [{ dataObject, column, operator: '=', value: 1 }] }, more)
  t.same(where('Number', filtered('Orders', 'Amount')), ['(Orders.amount = 1)'])
  t.same(where('Number', filtered('Orders', 'Number')), [], 'its own value')
  t.same(where('Rank', filtered('Orders', 'Number')), ['(Number.value = 1)'], 'the value of another window')
  const computed = { dataObjects: { Orders: { columns: { Next: { expression: '{Number} + 1', abstractType: 'int' } } } } }
  t.same(where('Number', filtered('Orders', 'Next', computed)), [], 'computed from its own value')
  const ofCustomers = { dataObjects: { Customers: { columns: { Number: { window: { function: 'rank', orderBy: ['Name'] } } } } } }
  t.same(where('Number', filtered('Customers', 'Number', ofCustomers)), ['(Number.value = 1)'], 'a column of the same name')
})

t.test('a required join drops rows', async (t) => {
  const joined = (more: object) => shopWith(shop, joining('Orders', manyToOne('Customers', 'Customer Id', more)))
  t.same(saidJoins(read('Number', joined({ required: true })).rows), ['inner Customers on (Orders.customer_id = Customers.id)'])
  t.same(where('Number', joined({ required: true, foreignKey: true })), ['Orders.customer_id is not null'])
  t.same(saidJoins(read('Number').rows), [])
})

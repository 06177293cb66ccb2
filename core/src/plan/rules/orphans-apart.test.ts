/** Rows are grouped by what they refer to, and those that refer to nothing are one group, if a condition on values keeps few groups. */
import t from 'tap'
import { postgres } from '../../../../plugins/dialect-postgres/src/index.js'
import { oneIn } from '../../../../test/support/amount.js'
import { compileFor, loadText } from '../../../../test/support/compile.js'
import { shopRows, withRule } from '../../../../test/support/rule-answers.js'

const modelOf = (join: string, from = 'Customer Id'): ReturnType<typeof loadText> =>
  loadText(`
version: 1
dataObjects:
  Customers:
    code: customers
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Name: { code: name, abstractType: string }
      Region: { code: region_id, abstractType: int }
  Shops:
    code: shops
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      City: { code: city, abstractType: string }
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer Id: { code: customer_id, abstractType: int }
      Customer Again: { expression: '{Customer Id} + 0', abstractType: int }
      Amount: { code: amount, abstractType: float, sqlType: DECIMAL, sqlPrecision: 12, sqlScale: 2 }
      Share: { code: amount, abstractType: float }
      Shop: { code: shop_id, abstractType: int }
      Status: { code: status, abstractType: string }
    joins:
      - { joinTo: Customers, joinType: many-to-one, columnsFrom: [${from}], columnsTo: [Id]${join} }
      - { joinTo: Shops, joinType: many-to-one, columnsFrom: [Shop], columnsTo: [Id] }
dimensions:
  City: { dataObject: Shops, column: City }
  Customer: { dataObject: Customers, column: Id }
  Name: { dataObject: Customers, column: Name }
  Status: { dataObject: Orders, column: Status }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
  Greatest: { aggregation: max, columns: [{ dataObject: Orders, column: Amount }] }
  Orders: { aggregation: count, columns: [{ dataObject: Orders, column: Id }] }
  Shares: { aggregation: sum, columns: [{ dataObject: Orders, column: Share }] }
  Statuses: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Status }] }
  Paid: { aggregation: count, columns: [{ dataObject: Orders, column: Id }], filters: [{ field: Orders.Status, op: equals, value: paid }] }
  By Region: { aggregation: sum, expression: '{[Orders].[Amount]} * {[Customers].[Region]}' }
  Of Regions: { aggregation: max, columns: [{ dataObject: Customers, column: Region }] }
`)
const model = modelOf('')

interface Asked {
  readonly dimensions?: readonly string[]
  readonly measures?: readonly string[]
  readonly where?: readonly object[]
  readonly having?: readonly object[]
}

const queryOf = ({ dimensions = ['Customer'], measures = ['Revenue'], where = [], having }: Asked): object => ({
  select: { dimensions, measures },
  where,
  having: having ?? [{ field: measures[0], op: '>', value: 5 }],
})
const isApart = (asked: Asked, of = model, dialect?: Parameters<typeof compileFor>[2]): boolean =>
  compileFor(queryOf(asked), of, dialect).explain().rules.includes('orphans-apart')

const many: readonly Asked[] = [
  {},
  { having: [{ field: 'Revenue', op: '<', value: 30 }] },
  { measures: ['Orders'] },
  { measures: ['Greatest', 'Revenue', 'Orders'] },
  { dimensions: ['Customer', 'Name'] },
  { where: [{ field: 'Status', op: 'equals', value: 'paid' }] },
]

t.test('the answer is the same, with all rows without a customer as one group', async (t) => {
  for (const seed of oneIn(3, [1, 2, 3])) {
    const connection = await shopRows(seed)
    for (const asked of many)
      t.equal(
        await withRule('orphans-apart', queryOf(asked), model, connection),
        'the same answer',
        JSON.stringify([seed, asked]),
      )
    connection.closeSync()
  }
})

t.test('no order is joined with its customer', async (t) => {
  const { sql } = compileFor(queryOf({}), model)
  t.match(sql, /FROM "orders"\n {2}GROUP BY 1/)
  t.match(sql, /UNION ALL/)
})

for (const [title, asked] of [
  ['without a condition on values', { having: [] }],
  ['by two groups, of which there may be as many as rows', { dimensions: ['Customer', 'Status'] }],
  ['by a name, which several customers have', { dimensions: ['Name'] }],
  ['of a total of doubles, which depends on the order', { measures: ['Shares'] }],
  ['of different values, which are no total of parts', { measures: ['Statuses'] }],
  ['of a measure with a filter', { measures: ['Revenue', 'Paid'] }],
  ['of a value of the object', { measures: ['Revenue', 'Of Regions'] }],
  ['of a value of both', { measures: ['By Region'], having: [{ field: 'By Region', op: '>', value: 5 }] }],
  ['under a condition on the key alone', { having: [{ field: 'Customer', op: '>', value: 3 }] }],
  ['under a condition on the object', { where: [{ field: 'Name', op: 'notequals', value: 'customer 1' }] }],
] as const satisfies readonly (readonly [string, Asked])[])
  t.test(`nothing changes ${title}`, async (t) => {
    t.notOk(isApart(asked))
  })

t.test('another table that a condition reads is joined in both parts', async (t) => {
  const ofCity = { where: [{ field: 'City', op: 'equals', value: 'Rome' }] }
  t.ok(isApart(ofCity))
  t.equal(compileFor(queryOf(ofCity), model).sql.match(/JOIN "shops"/g)?.length, 1, 'once, for the groups by the reference')
})

t.test('nothing changes where each row has its customer, or where joins are not hashed', async (t) => {
  t.ok(isApart({}))
  t.notOk(isApart({}, modelOf(', foreignKey: true')))
  t.notOk(isApart({}, modelOf(', required: true')), 'orders without a customer are in no group')
  t.notOk(isApart({}, modelOf('', 'Customer Again')), 'a computed reference')
  t.notOk(isApart({}, model, postgres))
})

/** Whether rows of another object connect: how they are found, and by which columns they are linked. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { manyToOne, shop, shopWith } from '../../../test/support/models.js'
import { said, saidJoins } from '../../../test/support/said.js'
import { INT } from '../model/data-type.js'
import { binary, integer } from '../resolve/expressions.js'
import type { ExistsLeaf, FieldLeaf, FieldSource } from '../resolve/resolved-query.js'
import { readExists } from './read-exists.js'
import { rowsOf } from './rows.js'

const field = (object: string, column = 'Id'): FieldSource => ({
  name: column,
  object,
  via: undefined,
  expression: { kind: 'column', object, column },
  type: INT,
})
const leaf = (source: FieldSource): FieldLeaf => ({ kind: 'where-field', members: [source], type: INT, name: source.name })
const above5 = (object: string) => binary<FieldLeaf>('>', leaf(field(object)), integer(5))

function exists(base: string, subject: string, target: string, filter?: ExistsLeaf['filter'], model = shop) {
  const rows = rowsOf(contextOf(model), base)
  const of = { kind: 'where-exists', subject: field(subject), target, pathName: undefined, filter, path: 'where[0]' } as const
  return readExists(rows, of)
}
function found(...asked: Parameters<typeof exists>) {
  const read = exists(...asked)
  if (read.kind !== 'found') throw new Error(read.kind)
  const { rows, where, links } = read.found
  return {
    rows: [rows.start.object, ...saidJoins(rows)],
    where: where.map(said),
    links: links.map(({ name, expression }) => `${name}: ${said(expression)}`),
    linkedTo: read.linkedTo.map(said),
  }
}

t.test('rows next to the subject are linked by the columns of their join', async (t) => {
  t.same(found('Orders', 'Orders', 'Items'), {
    rows: ['Items'],
    where: [],
    links: ['link_1: Items.order_id'],
    linkedTo: ['Orders.id'],
  })
  t.same(found('Items', 'Orders', 'Customers').linkedTo, ['Orders.customer_id'], 'the subject may be joined')
})

t.test('rows further away are joined back to what is next to the subject', async (t) => {
  t.same(found('Customers', 'Customers', 'Items'), {
    rows: ['Items', 'inner Orders on (Items.order_id = Orders.id)'],
    where: [],
    links: ['link_1: Orders.customer_id'],
    linkedTo: ['Customers.id'],
  })
  t.same(found('Regions', 'Regions', 'Items').rows.slice(1), [
    'inner Orders on (Items.order_id = Orders.id)',
    'inner Customers on (Orders.customer_id = Customers.id)',
  ])
})

t.test('only rows that meet the filters of the condition and of the model', async (t) => {
  const filtered = shopWith({ filters: [{ dataObject: 'Returns', column: 'Amount', operator: '>', value: 0 }] })
  t.same(found('Customers', 'Customers', 'Returns', above5('Returns'), filtered).where, [
    '(Returns.amount > 0)',
    '(Returns.id > 5)',
  ])
})

t.test('of the subject itself, the row is tested', async (t) => {
  const told = (...asked: Parameters<typeof exists>) => {
    const read = exists(...asked)
    return read.kind === 'found' ? read.kind : said(read)
  }
  t.equal(told('Orders', 'Orders', 'Orders'), 'case true: 1')
  t.equal(told('Orders', 'Orders', 'Orders', above5('Orders')), 'case (Orders.id > 5): 1')
  t.equal(
    told('Items', 'Orders', 'Orders', above5('Orders')),
    'case (Orders.id is not null and (Orders.id > 5)): 1',
    'if it is there',
  )
})

t.test('a join by more than equal columns is linked by the key of the subject', async (t) => {
  const date = (code: string) => ({ code, abstractType: 'date' })
  const dated = (primaryKey: boolean) =>
    shopWith({
      dataObjects: {
        Orders: {
          columns: { Id: { primaryKey } },
          joins: [
            {
              joinType: 'many-to-one',
              joinTo: 'Customers',
              columnsFrom: ['Customer Id'],
              columnsTo: ['Id'],
              during: { time: 'Day', from: 'Since', to: 'Until' },
            },
          ],
        },
        Items: { joins: [] },
        Customers: { columns: { Since: date('since'), Until: date('until') } },
      },
    })
  const { links, linkedTo } = found('Orders', 'Orders', 'Customers', undefined, dated(true))
  t.same([links, linkedTo], [['link_1: Orders.id'], ['Orders.id']])
  t.throws(() => found('Orders', 'Orders', 'Customers', undefined, dated(false)), {
    code: 'KEY_REQUIRED',
    message: /a test for rows of 'Customers' needs a primaryKey of 'Orders'/,
  })
})

t.test('rows that two objects find by their times connect nothing', async (t) => {
  const key = { code: 'id', abstractType: 'int', primaryKey: true }
  const found = (time: string, column: string) => ({
    ...manyToOne('Prices', column, { columnsTo: ['Customer'] }),
    asOf: { time, to: 'Since' },
  })
  const model = shopWith({
    dataObjects: {
      Prices: {
        code: 'prices',
        columns: { Id: key, Since: { code: 'since', abstractType: 'date' }, Customer: { code: 'c', abstractType: 'int' } },
      },
      Orders: { joins: [manyToOne('Customers', 'Customer Id'), found('Day', 'Customer Id')] },
      Visits: {
        code: 'visits',
        columns: { Id: key, On: { code: 'on_day', abstractType: 'date' }, Customer: { code: 'c', abstractType: 'int' } },
        joins: [found('On', 'Customer')],
      },
    },
  })
  t.throws(() => exists('Orders', 'Orders', 'Visits', undefined, model), {
    code: 'NO_JOIN_PATH',
    message: /'Orders' and 'Visits' are connected by joins with asOf in both directions/,
  })
})

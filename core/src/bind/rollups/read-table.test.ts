/** Whether a table is read for an aggregate: the first condition that is not met is the reason. */
import t from 'tap'
import { shopWith } from '../../../../test/support/models.js'
import { asked, shownUnread, TABLES, tables } from '../../../../test/support/rollups.js'
import { builtInFunctions } from '../../model/functions/catalogue.js'
import type { SemanticModel } from '../../model/semantic-model.js'
import type { BlockRequest } from '../block-request.js'
import { readTable, requestOf } from './read-table.js'
import { isUnread } from './unread.js'

const on = (field: string, op: string, value?: unknown) => ({ field, op, value })

function ask(
  select: object,
  more: object = {},
  rollup = 'Daily',
  changes: Partial<BlockRequest> = {},
  model: SemanticModel = tables,
) {
  const { request, reading } = asked(select, rollup, more, model)
  return readTable(request.aggregates[0]!, { ...request, ...changes }, reading, builtInFunctions)
}
const says = (...of: Parameters<typeof ask>): string => shownUnread(ask(...of))

t.test('its groups, its conditions and its value', async (t) => {
  t.equal(says({ dimensions: ['Status'] }, { where: [on('Region', 'eq', 'North')] }), 'read')
  t.equal(says({ dimensions: ['Amount'] }), 'DIMENSION_MISSING Amount')
  t.equal(says({}, { where: [on('Amount', 'gt', 3)] }), 'DIMENSION_MISSING Amount')
  t.equal(says({ measures: ['Median Sale'] }), 'NOT_ADDITIVE Median Sale')
})

t.test('rows that the table lacks', async (t) => {
  t.equal(says({}, {}, 'Paid'), 'ROWS_MISSING Status')
  t.equal(says({}, { where: [on('Status', 'eq', 'paid')] }, 'Paid'), 'read')
})

t.test('other rows, and rows one by one', async (t) => {
  t.equal(says({ measures: ['Returned'] }), 'OTHER_BASE Returned')
  t.equal(says({ dimensions: ['Product'] }), 'NEEDS_ROWS Sales', 'an order has several products')
  t.equal(says({}, {}, 'Daily', { bridgeFilters: [{}] as never }), 'NEEDS_ROWS Sales')
  t.equal(says({}, {}, 'Daily', { weights: [{}] as never }), 'NEEDS_ROWS Sales')
  t.equal(says({}, {}, 'Daily', { multiFact: {} as never }), 'NEEDS_ROWS Sales')
  t.equal(says({}, {}, 'Daily', { inDays: {} as never }), 'NEEDS_ROWS Sales')
  t.equal(says({}, {}, 'Daily', { semiAdditive: {} as never }), 'NOT_ADDITIVE Sales')
  t.equal(says({}, {}, 'Daily', { conversions: new Map([['Sales', {} as never]]) }), 'NOT_ADDITIVE Sales')
  t.equal(says({}, {}, 'Daily', { conversions: new Map() }), 'read')
})

t.test('joins that a question pins may restrict the rows in another way', async (t) => {
  const pinned = { use_path_names: [{ source: 'Orders', target: 'Customers', path_name: 'payer' }] }
  t.equal(says({}, pinned), 'read', 'nothing restricts them')
  const filtered = shopWith(TABLES, {
    filters: [{ dataObject: 'Customers', column: 'Name', operator: 'notequals', value: 'test' }],
  })
  t.equal(says({}, pinned, 'Daily', {}, filtered), 'OTHER_BASE Sales', 'a static filter on the payer')
  t.equal(says({}, {}, 'Daily', {}, filtered), 'read')
  const other = shopWith(TABLES, { filters: [{ dataObject: 'Items', column: 'Product', operator: 'notequals', value: 'test' }] })
  t.equal(says({}, pinned, 'Daily', {}, other), 'read', 'a filter that no join reaches')
})

t.test('what the table holds of rows that it joined is of other rows where a question pins another join', async (t) => {
  const buyer = { expression: '{[Customers].[Region Id]} + 1', abstractType: 'int' }
  const sum = (more: object) => ({ aggregation: 'sum', ...more })
  const amounts = { columns: [{ dataObject: 'Orders', column: 'Amount' }] }
  const ofBuyers = (more: object = {}) => sum({ ...amounts, filters: [{ field: 'Orders.Buyer', op: 'gt', value: 3, ...more }] })
  const model = shopWith(TABLES, {
    dataObjects: { Orders: { columns: { Buyer: buyer } } },
    dimensions: {
      Buyer: { dataObject: 'Orders', column: 'Buyer' },
      'Payer Key': { dataObject: 'Orders', column: 'Payer Id' },
    },
    measures: {
      'Sum of Buyers': sum({ expression: '{[Customers].[Id]} + {[Orders].[Buyer]}' }),
      'Sales to Buyers': ofBuyers(),
      'Sales to Others': ofBuyers({ op: 'lt' }),
      Buyers: { aggregation: 'count_distinct', columns: [{ dataObject: 'Orders', column: 'Buyer' }] },
    },
    rollups: {
      Bought: { dataObject: 'Orders', dimensions: ['Buyer'], measures: ['Sales', 'Sum of Buyers', 'Sales to Buyers', 'Buyers'] },
      North: {
        ...{ dataObject: 'Orders', dimensions: ['Customer Key', 'Payer Key'], measures: ['Sales'] },
        where: [on('Region', 'eq', 'North')],
      },
    },
  })
  const pinned = (path_name: string) => ({ use_path_names: [{ source: 'Orders', target: 'Customers', path_name }] })
  const both = (measure: string) => [{}, pinned('payer')].map((more) => says({ measures: [measure] }, more, 'Bought', {}, model))
  t.same(both('Sales'), ['read', 'read'])
  t.same(both('Sum of Buyers'), ['read', 'OTHER_BASE Sum of Buyers'])
  t.same(both('Sales to Buyers'), ['read', 'DIMENSION_MISSING Orders.Buyer'], 'by its rows')
  t.same(both('Sales to Others'), ['read', 'DIMENSION_MISSING Orders.Buyer'], 'by a column of the table')
  t.same(both('Buyers'), ['read', 'NOT_ADDITIVE Buyers'])
  const where = [on('Region', 'eq', 'North')]
  t.equal(says({}, { where }, 'North', {}, model), 'read')
  t.equal(says({}, { where, ...pinned('payer') }, 'North', {}, model), 'ROWS_MISSING Region', 'payers in the north')
})

t.test('the request over the table', async (t) => {
  const { request } = asked({ dimensions: ['Status'] })
  const read = ask({ dimensions: ['Status'] })
  if (isUnread(read)) throw new Error(read.says)
  const made = requestOf(request, [read, read])
  t.equal(made.isOfTable, true)
  t.same(made.aggregates, [read.aggregate, read.aggregate])
  t.same(made.dimensions, read.dimensions)
  t.same(made.conjuncts, read.conjuncts)
  t.equal(made.base, request.base)
})

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

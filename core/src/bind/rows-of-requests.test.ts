/** When a block reads exactly the rows of its base, and when two blocks read the same rows in the same groups. */
import t from 'tap'
import { aggregateQuery } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { blockRequests, type PlannedRequest } from './block-requests.js'
import { countsAllRows, isOfAllRowsOf, isOfBase, isOfSameRows } from './rows-of-requests.js'

const model = shopWith({
  measures: {
    Balance: {
      aggregation: 'sum',
      columns: [{ dataObject: 'Orders', column: 'Amount' }],
      semiAdditive: { timeDimension: 'Day', take: 'last' },
    },
    Kept: { aggregation: 'sum', expression: '{[Orders].[Amount]} - {[Returns].[Amount]}', anchor: 'Customers' },
    'Sales Anyway': { aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'Amount' }], allowFanOut: true },
  },
  metrics: {
    Converted: {
      type: 'conversion',
      base: 'Order Count',
      conversion: 'Order Count',
      entity: 'Customer',
      window: '7 day',
      calculation: 'count',
    },
  },
})

function requestsOf(measures: readonly string[], dimensions: readonly string[] = ['Region'], more: object = {}) {
  return blockRequests(aggregateQuery({ select: { dimensions, measures }, ...more }, model))
}
const requestOf = (...asked: Parameters<typeof requestsOf>): PlannedRequest => requestsOf(...asked)[0]!

const sales = requestOf(['Sales'])

t.test('a row of the base counts once, in its own group', async (t) => {
  t.ok(isOfBase(sales))
  t.notOk(isOfBase(requestOf(['Sales'], ['Product'])), 'in the group of each of its items')
  t.notOk(isOfBase(requestOf(['Sales Anyway'])), 'for each of its items')
  t.notOk(isOfBase(requestsOf(['Running Sales'], ['Day:month']).at(-1)!), 'in several windows')
  t.notOk(isOfBase(requestOf(['Balance'])), 'one row of each time')
  t.notOk(isOfBase(requestOf(['Kept'])), 'the rows of several facts')
})

t.test('all rows count if one measure leaves out none', async (t) => {
  t.ok(countsAllRows(sales))
  t.ok(countsAllRows(requestOf(['Paid Sales', 'Sales'])))
  t.notOk(countsAllRows(requestOf(['Paid Sales'])))
  t.notOk(countsAllRows(requestOf(['Converted'])), 'only rows that convert')
  t.notOk(countsAllRows(requestOf(['Sales'], ['Product'])), 'in several groups')
})

t.test('the same rows are those of one base, with the same conditions, in the same groups', async (t) => {
  const paid = { where: [{ field: 'Status', op: 'equals', value: 'paid' }] }
  const open = { where: [{ field: 'Status', op: 'equals', value: 'open' }] }
  const same = (one: PlannedRequest, other: PlannedRequest): boolean => isOfSameRows(one.request, other.request)
  t.ok(same(sales, requestOf(['Order Count'])))
  t.ok(same(requestOf(['Sales'], ['Region', 'Status']), requestOf(['Sales'], ['Status', 'Region'])))
  t.ok(same(requestOf(['Sales'], ['Region'], paid), requestOf(['Order Count'], ['Region'], paid)))
  t.notOk(same(sales, requestOf(['Returned'])), 'another base')
  t.notOk(same(sales, requestOf(['Sales'], ['Region'], paid)), 'a condition more')
  t.notOk(same(requestOf(['Sales'], ['Region'], paid), sales), 'a condition less')
  t.notOk(same(requestOf(['Sales'], ['Region'], paid), requestOf(['Sales'], ['Region'], open)), 'another condition')
  t.notOk(same(sales, requestOf(['Sales'], ['Region', 'Status'])), 'a group more')
  t.notOk(same(requestOf(['Sales'], ['Region', 'Status']), sales), 'a group less')
  t.notOk(same(requestOf(['Sales'], ['Customer', 'Status']), requestOf(['Sales'], ['Region', 'Status'])), 'another group')
})

t.test('a block has a row for each group of rows that it counts, all of them, at their own period', async (t) => {
  const { request: rows } = requestOf(['Order Count'])
  t.ok(isOfAllRowsOf(sales, rows))
  t.notOk(isOfAllRowsOf(requestOf(['Paid Sales']), rows), 'groups without a paid order')
  t.notOk(isOfAllRowsOf(requestOf(['Returned']), rows), 'rows of another base')
  t.notOk(isOfAllRowsOf(sales, { ...rows, bridges: new Set(['Items']) }), 'rows with their items')
  const [now, before] = requestsOf(['Sales', 'Sales Last Month'], ['Day:month'])
  t.ok(isOfAllRowsOf(now!, now!.request))
  t.notOk(isOfAllRowsOf(before!, now!.request), 'another period')
})

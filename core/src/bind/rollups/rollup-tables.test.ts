/** Which aggregates of a request are read from which table: the first that holds them, the others from rows. */
import t from 'tap'
import { contextOf } from '../../../../test/support/bound.js'
import { asked, tables } from '../../../../test/support/rollups.js'
import type { TableSource } from '../../model/semantic-model.js'
import { blockRequests, type PlannedRequest } from '../block-requests.js'
import { ROLLUP_TABLES, rollupTables, tablesOfRequests } from './rollup-tables.js'

const sourceOf = (name: string): TableSource => ({ kind: 'table', database: undefined, schema: undefined, name })

function ask(select: object, names: readonly string[] = ['Daily', 'Monthly', 'Weekly', 'Paid']): readonly PlannedRequest[] {
  const { query } = asked(select)
  const sources = new Map(names.map((name) => [name, sourceOf(name.toLowerCase())]))
  const rule = rollupTables({ ...contextOf(tables), rollups: { sources, timezone: undefined, hasQuotients: true } })
  return rule.rewrite(blockRequests(query), query)
}
const shown = (requests: readonly PlannedRequest[]): readonly string[] =>
  requests.map(
    ({ request }) => `${request.aggregates.map(({ measure }) => measure.name).join(', ')}: ${request.rollup?.name ?? 'rows'}`,
  )

t.test('the first table that holds them', async (t) => {
  t.same(shown(ask({ dimensions: ['Status'] })), ['Sales: Daily'])
  t.same(shown(ask({ dimensions: ['Status'] }, ['Weekly', 'Daily'])), ['Sales: Weekly'])
  t.same(
    shown(ask({ dimensions: ['Status'] }, ['Weekly', 'Gone'])),
    ['Sales: Weekly'],
    'a rollup that the model does not have any more',
  )
  t.same(shown(ask({ dimensions: ['Region', 'Day:month'] }, ['Weekly', 'Monthly'])), ['Sales: Monthly'])
})

t.test('aggregates of several tables are requests of their own', async (t) => {
  const requests = ask({ dimensions: ['Status'], measures: ['Sales', 'Largest', 'Median Sale'] }, ['Weekly', 'Daily'])
  t.same(shown(requests), ['Sales: Weekly', 'Largest: Daily', 'Median Sale: rows'])
  t.same(tablesOfRequests(requests), { rollups: ['Weekly', 'Daily'], facts: ['Median Sale'] })
  t.same(shown(ask({ measures: ['Sales', 'Largest'] }, ['Weekly'])), ['Sales: Weekly', 'Largest: rows'])
  t.ok(requests.every(({ contributesRows }) => contributesRows))
})

t.test('a part creates rows if one of its aggregates does', async (t) => {
  const { query } = asked({ measures: ['Sales', 'Median Sale'] })
  const [planned] = blockRequests(query)
  const aggregates = planned!.request.aggregates.map((one, i) => ({ ...one, contributesRows: i === 0 }))
  const rule = rollupTables({
    ...contextOf(tables),
    rollups: { sources: new Map([['Daily', sourceOf('daily')]]), timezone: undefined, hasQuotients: true },
  })
  const parts = rule.rewrite([{ ...planned!, request: { ...planned!.request, aggregates } }], query)
  t.same(
    parts.map(({ contributesRows }) => contributesRows),
    [true, false],
  )
})

t.test('the request keeps its meaning beside what is read', async (t) => {
  const [planned] = ask({ dimensions: ['Status'] })
  const { rollup, dimensions, aggregates } = planned!.request
  t.equal(aggregates[0]?.measure.name, 'Sales')
  t.equal(dimensions[0]?.members[0].expression.kind, 'column')
  t.match(rollup, { name: 'Daily', base: 'Orders', request: { isOfTable: true } })
  t.match(rollup?.model.dataObjects.get('Orders')?.source, { name: 'daily' })
})

t.test('without a table, the same requests', async (t) => {
  const { query } = asked({ dimensions: ['Status'] })
  const requests = blockRequests(query)
  t.equal(rollupTables(contextOf(tables)).rewrite(requests, query), requests)
  t.equal(
    rollupTables({ ...contextOf(tables), rollups: { sources: new Map(), timezone: undefined, hasQuotients: true } }).rewrite(
      requests,
      query,
    ),
    requests,
  )
  t.same(shown(ask({ measures: ['Median Sale'] })), ['Median Sale: rows'])
  t.equal(rollupTables(contextOf(tables)).name, ROLLUP_TABLES)
})

/** Rows in the windows that contain them: with which period a window begins, and by what its rows are grouped. */
import t from 'tap'
import { aggregateQuery } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { column, nodesIn, own, scan, shared, sumOf } from '../../../test/support/plans.js'
import { said, saidTerms } from '../../../test/support/said.js'
import { DATE } from '../model/data-type.js'
import { call, integer, text } from '../resolve/expressions.js'
import type { PeriodWindow } from '../resolve/resolved-query.js'
import type { BlockRows } from './block.js'
import { dimensionsOf, oncePerWindow, overWindows } from './over-windows.js'

function windowOf(dimensions: readonly string[], more: Partial<PeriodWindow> = {}): PeriodWindow {
  const query = aggregateQuery({ select: { dimensions, measures: ['Running Sales'] } }, shop)
  const { window } = query.aggregates.find((one) => one.window) ?? {}
  if (!window) throw new Error('no window')
  return { ...window, ...more }
}
const month = windowOf(['Day:month'])
const rows = shared(scan('orders'), [own('Day:month')])
const sales = sumOf('Sales', column('periods_of', 'Sales'))

function over(
  window: PeriodWindow,
  more: { readonly timeless?: boolean; readonly groupBy?: readonly ReturnType<typeof own>[] } = {},
) {
  const plan = overWindows({ window, right: scan('orders'), alias: 'r', aggregates: [sales], ...more }, rows)
  const [join] = nodesIn(plan, 'join')
  const [spine] = nodesIn(plan, 'distinct')
  return { plan, join: join!, spine: spine! }
}
const begins = (more: Partial<PeriodWindow>): string =>
  saidTerms(over({ ...month, ...more }).join.on).replaceAll('Day:month', 'month')

t.test('a window ends with the period of its row', async (t) => {
  t.equal(begins({}), '(r.month <= periods.month)')
  t.match(over(month).join, { type: 'inner', window: month })
})

t.test('it begins with a number of periods, with a longer period, or with a given one', async (t) => {
  const from = (begin: string): string => `((r.month <= periods.month) and (r.month ${begin}))`
  const since = (more: Partial<PeriodWindow>): string | undefined => {
    const added = over({ ...month, ...more }).spine.columns.find(({ name }) => name === 'since')
    return added && said(added.expression)
  }
  t.equal(begins({ periods: 3 }), from('>= periods.since'))
  t.equal(since({ periods: 3 }), "date_add('month', -2, Day:month)")
  t.equal(since({ periods: 3, unit: 'month' }), "date_add('month', -2, Day:month)")
  t.equal(begins({ periods: 2, unit: 'day' }), from('> periods.since'), 'a number of others')
  t.match(since({ periods: 2, unit: 'day' }), /-2/)
  t.equal(begins({ toDate: 'year' }), from('>= periods.since'))
  t.equal(since({ toDate: 'year' }), "date_trunc('year', Day:month)")
  t.equal(begins({ since: own('Day:month', DATE) }), from('>= periods.month'), 'a column needs no other')
  t.equal(since({}), undefined)
})

t.test('the windows are the times and the partitions of the answer, each once', async (t) => {
  const window = windowOf(['Day:month', 'Region'])
  const { plan, spine, join } = over(window)
  t.same(
    spine.columns.map(({ name }) => name),
    ['Day:month', 'Region'],
  )
  t.same(
    nodesIn(plan, 'filter').map(({ condition }) => said(condition)),
    ['Day:month is not null'],
  )
  t.match(saidTerms(join.on), 'Region')
  t.same(
    plan.keys.map(({ name, expression }) => `${name} = ${said(expression)}`),
    ['Day:month = periods.Day:month', 'Region = periods.Region'],
  )
  t.same(
    dimensionsOf(window).map(({ name }) => name),
    ['Day:month', 'Region'],
  )
  t.same(plan.aggregates, [sales])
})

t.test('an end that is computed is a column of the windows', async (t) => {
  const end = call('date_add', text('day'), integer(1), own('Day:month', DATE))
  const { spine, join } = over({ ...month, own: end })
  t.same(
    spine.columns.map(({ name, expression }) => `${name} = ${said(expression)}`),
    ['Day:month = Day:month', "period = date_add('day', 1, Day:month)"],
  )
  t.match(saidTerms(join.on), '<= periods.period')
})

t.test('rows of a window can be grouped within it', async (t) => {
  const { plan } = over(month, { groupBy: [own('Customer')] })
  t.same(
    plan.keys.map(({ expression }) => said(expression)),
    ['periods.Day:month', 'r.Customer'],
  )
})

t.test('rows that are there at every time are in each window', async (t) => {
  t.match(over(month, { timeless: true }).join, { type: 'cross', on: [] })
  const { join } = over(windowOf(['Day:month', 'Region']), { timeless: true })
  t.equal(join.type, 'inner', 'of their partition')
  t.notMatch(saidTerms(join.on), '<=')
  t.notOk('window' in join)
})

t.test('through a connection, a row counts once in a window', async (t) => {
  const key = { name: 'key_1', type: own('x').type, expression: column('items', 'key') }
  const block: BlockRows = {
    plan: scan('items'),
    alias: 'items',
    columns: [{ ...key, name: 'Day:month' }, key],
    aggregates: [
      sumOf('Sales', column('items', 'amount'), {
        orderBy: [{ expression: column('items', 'at'), type: DATE, descending: false, nullsFirst: false }],
      }),
    ],
    distinct: true,
  }
  const plan = oncePerWindow(block, { window: month, groupBy: [own('Customer')] }, rows)
  const [inner] = nodesIn(plan.input, 'distinct').slice(-1)
  t.same(
    inner?.columns.map(({ name, expression }) => `${name} = ${said(expression)}`),
    ['Day:month = periods.Day:month', 'key_1 = items.key_1'],
  )
  t.same(
    plan.keys.map(({ expression }) => said(expression)),
    ['in_window.Day:month', 'in_window.Customer'],
  )
  t.same(
    plan.aggregates.map(({ args, orderBy }) => [...args, ...orderBy.map(({ expression }) => expression)].map((one) => said(one))),
    [['in_window.amount', 'in_window.at']],
  )
})

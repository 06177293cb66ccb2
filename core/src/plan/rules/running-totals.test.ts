import t from 'tap'
import { oneIn } from '../../../../test/support/amount.js'
import { canonicalPlan, compileFor } from '../../../../test/support/compile.js'
import { shopWith } from '../../../../test/support/models.js'
import { aggregate, factsOf, lookup, nodesIn, own, scan, shared, sumOf } from '../../../../test/support/plans.js'
import { shopRows, withRule } from '../../../../test/support/rule-answers.js'
import { firstOf } from '../../invariant.js'
import { STRING } from '../../model/data-type.js'
import type { Aggregate, Join, LogicalPlan, Lookup, NamedAggregate } from '../logical-plan.js'
import { runningTotals } from './running-totals.js'

const soFar = (measure: string, more: object = {}) => ({ type: 'cumulative', measure, timeDimension: 'Day', ...more })
const model = shopWith({
  measures: { Least: { aggregation: 'min', columns: [{ dataObject: 'Orders', column: 'Amount' }] } },
  metrics: {
    'Sales so far': soFar('Sales'),
    'Sales of the year': soFar('Sales', { grainToDate: 'year' }),
    'Least so far': soFar('Least'),
    'Sales of 3': soFar('Sales', { window: 3 }),
    'Buyers so far': soFar('Buyers'),
  },
})

const compiled = (measures: readonly string[], more: object = {}) =>
  compileFor({ select: { dimensions: ['Day:month', 'Customer'], measures }, ...more }, model)
const scans = (sql: string): number => sql.split('"orders"\n').length - 1

for (const measures of [['Sales', 'Sales so far'], ['Sales so far'], ['Sales so far', 'Sales of the year']])
  t.test(`${measures.join(' and ')} read the orders once`, (t) => {
    const { sql, explain } = compiled(measures)
    t.ok(explain().rules.includes('running-totals'))
    t.equal(scans(sql), 1, sql)
    t.end()
  })

t.test('other windows are looked up for the rows with the totals', (t) => {
  const { sql, explain } = compiled(['Sales so far', 'Sales of 3', 'Buyers so far'])
  t.match(explain().rules, ['running-totals', 'window-counts', 'window-frames'])
  t.notMatch(sql, /since/)
  t.end()
})

t.test('the days of dates are the dates', (t) => {
  const { sql, explain } = compileFor({ select: { dimensions: ['Day'], measures: ['Sales so far'] } }, model)
  t.ok(explain().rules.includes('running-totals'))
  t.equal(scans(sql), 1, sql)
  t.end()
})

for (const [title, more] of [
  ['rows of some days have totals of all', { where: [{ field: 'Day', op: 'gte', value: '2025-01-01' }] }],
  ['periods without rows have a total, too', { fillGaps: true }],
] as const)
  t.test(title, (t) => {
    t.notOk(compiled(['Sales', 'Sales so far'], more).explain().rules.includes('running-totals'))
    t.end()
  })

t.test('the totals are those of the rows up to each period', async (t) => {
  const connection = await shopRows()
  for (const measures of oneIn(3, [
    ['Sales so far'],
    ['Least so far', 'Sales of the year'],
    ['Sales so far', 'Sales of 3', 'Buyers so far'],
  ]))
    for (const dimensions of [['Day:month'], ['Day:month', 'Customer'], ['Day', 'Customer']]) {
      const query = { select: { dimensions, measures } }
      t.equal(await withRule('running-totals', query, model, connection), 'the same answer', `${measures} by ${dimensions}`)
    }
  connection.closeSync()
})

const given = firstOf(
  nodesIn(canonicalPlan({ select: { dimensions: ['Day:month'], measures: ['Sales so far', 'Least so far'] } }, model), 'lookup'),
)
const values = given.from as Aggregate
const join = values.input as Join
const periods = join.right as Aggregate
const ofPeriods = (change: (call: NamedAggregate, at: number) => NamedAggregate, input = join): Lookup => ({
  ...given,
  from: {
    ...values,
    input: { ...input, right: { ...periods, aggregates: periods.aggregates.map((call, at) => change(call, at)) } },
  },
})
const rewritten = (node: LogicalPlan) => runningTotals.rewrite(node, factsOf())
const namesLookedUp = (plan: LogicalPlan | undefined) => (plan?.kind === 'lookup' ? plan.values.map(({ name }) => name) : [])
const onFirst = (change: Partial<NamedAggregate>) => ofPeriods((call, at) => (at === 0 ? { ...call, ...change } : call))
const arg = firstOf(firstOf(periods.aggregates).args)

for (const [title, change] of [
  ['a median', { aggregate: 'median' }],
  ['a sum of different values', { distinct: true }],
  ['a value that is NULL without some rows', { onlyWith: arg }],
  ['a value in an order', { orderBy: [{ expression: arg } as never] }],
  ['a text', { type: STRING }],
] as const satisfies readonly (readonly [string, Partial<NamedAggregate>])[])
  t.test(`${title} is still looked up, and the other value is a window`, async (t) => {
    const after = rewritten(onFirst(change))
    t.same(namesLookedUp(after), ['Sales (running)'])
    t.equal(after?.kind === 'lookup' && after.from.kind === 'aggregate' && after.from.aggregates.length, 1)
    t.equal(after?.kind === 'lookup' && after.input.kind === 'shared' && after.input.input.kind, 'window')
  })

t.test('two totals are two windows, and nothing is looked up', async (t) => {
  const after = rewritten(given)
  t.same(after?.kind === 'window' && after.calls.map(({ function: called, partitionBy }) => [called, partitionBy.length]), [
    ['sum', 0],
    ['min', 0],
  ])
})

t.test('the rows of an answer that is not read again are left alone', async (t) => {
  t.equal(rewritten({ ...given, input: periods }), undefined)
  t.equal(rewritten(values), undefined)
})

t.test('what is looked up reads the windows of the rows with totals, and other shared rows as before', async (t) => {
  const other = shared(scan('Days'), [])
  const beside = { ...join, left: { ...join, left: join.left, right: other } }
  const after = rewritten(lookup(given, aggregate(beside, [], [sumOf('Days', own('n'))]), ['Days']))
  const found = after?.kind === 'lookup' ? nodesIn(after.from, 'shared') : []
  t.same(
    found.map(({ columns }) => columns.length),
    [5, 0],
  )
})

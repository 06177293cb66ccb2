/** Distinct counts in windows without pairs of windows and values: the same counts, where the values of periods are known to be distinct. */
import t from 'tap'
import { canonicalPlan } from '../../../../test/support/compile.js'
import { shopAnd } from '../../../../test/support/models.js'
import { factsOf, limited, nodesIn, own, sumOf } from '../../../../test/support/plans.js'
import { shopRows, withRule } from '../../../../test/support/rule-answers.js'
import { firstOf } from '../../invariant.js'
import { isNotNull } from '../../resolve/expressions.js'
import type { Aggregate, Distinct, Join, Lookup } from '../logical-plan.js'
import { windowCounts } from './window-counts.js'

const model = shopAnd({
  measures: {
    Pairs:
      '{ aggregation: count_distinct, columns: [{ dataObject: Orders, column: Customer Id }, { dataObject: Orders, column: Status }] }',
  },
  metrics: {
    'Buyers so far': '{ type: cumulative, measure: Buyers, timeDimension: Day }',
    'Buyers of the year': '{ type: cumulative, measure: Buyers, timeDimension: Day, grainToDate: year }',
    'Buyers of 3': '{ type: cumulative, measure: Buyers, timeDimension: Day, window: 3 }',
    'Pairs of 2': '{ type: cumulative, measure: Pairs, timeDimension: Day, window: 2 }',
    'Sales of 3': '{ type: cumulative, measure: Sales, timeDimension: Day, window: 3 }',
  },
})
const ask = (measure: string, dimensions: readonly string[] = ['Day:month']) => ({ select: { dimensions, measures: [measure] } })

t.test('the counts are those of the rows in each window', async (t) => {
  const connection = await shopRows()
  for (const measure of ['Buyers so far', 'Buyers of the year', 'Buyers of 3', 'Pairs of 2'])
    for (const dimensions of [['Day:month'], ['Day:month', 'Status'], ['Day']])
      t.equal(
        await withRule('window-counts', ask(measure, dimensions), model, connection),
        'the same answer',
        `${measure} by ${dimensions}`,
      )
  t.equal(await withRule('window-counts', ask('Sales of 3'), model, connection), 'left alone')
  connection.closeSync()
})

const lookup = firstOf(nodesIn(canonicalPlan(ask('Buyers of 3'), model), 'lookup'))
const values = lookup.from as Aggregate
const join = values.input as Join
const keys = join.right as Distinct
const count = firstOf(values.aggregates)
const ofCalls = (...aggregates: Aggregate['aggregates']): Lookup => ({ ...lookup, from: { ...values, aggregates } })
const ofKeys = (right: Join['right']): Lookup => ({ ...lookup, from: { ...values, input: { ...join, right } } })
const rewritten = (node: Lookup | Aggregate) => windowCounts.rewrite(node, factsOf({ rangeFrames: true }))

for (const [title, other] of [
  ['beside another value', ofCalls(count, sumOf('Sum', own('n')))],
  ['another aggregate', ofCalls({ ...count, aggregate: 'sum' })],
  ['no value', ofCalls()],
  ['a count with a filter', ofCalls({ ...count, filter: isNotNull(own('n')) })],
  ['a count of two values of which the rows have one', ofCalls({ ...count, args: [...count.args, ...count.args] })],
  ['rows that are not distinct', ofKeys(limited(keys))],
  ['rows without a period', ofKeys({ ...keys, columns: keys.columns.slice(1) })],
  ['the values themselves', values],
] as const)
  t.test(`${title}: left alone`, async (t) => {
    t.ok(rewritten(lookup))
    t.equal(rewritten(other), undefined)
  })

t.test('an engine without frames of intervals has only the counts up to a period', async (t) => {
  const soFar = firstOf(nodesIn(canonicalPlan(ask('Buyers so far'), model), 'lookup'))
  t.ok(windowCounts.rewrite(soFar, factsOf({ peerFrames: true })))
  t.equal(windowCounts.rewrite(lookup, factsOf({ peerFrames: true })), undefined)
  t.equal(windowCounts.rewrite(soFar, factsOf()), undefined, 'nor these, without frames up to the last row of the same order')
})

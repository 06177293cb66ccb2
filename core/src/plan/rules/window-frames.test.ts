import t from 'tap'
import { mariadb } from '../../../../plugins/dialect-mariadb/src/index.js'
import { canonicalPlan, compileFor, loadText } from '../../../../test/support/compile.js'
import { inputsOf } from '../inputs.js'
import type { LogicalPlan, Lookup } from '../logical-plan.js'
import { NO_HINTS } from '../planner-hints.js'
import { windowCounts } from './window-counts.js'
import { windowFrames } from './window-frames.js'

const model = loadText(`
version: 1
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer Id: { code: customer_id, abstractType: int }
      Amount: { code: amount, abstractType: int }
      Day: { code: day, abstractType: date }
dimensions:
  Day: { dataObject: Orders, column: Day }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
  Least: { aggregation: min, columns: [{ dataObject: Orders, column: Amount }] }
  Middle: { aggregation: median, columns: [{ dataObject: Orders, column: Amount }] }
  Buyers: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Customer Id }] }
metrics:
  Revenue of 3: { type: cumulative, measure: Revenue, timeDimension: Day, window: 3 }
  Buyers of 3: { type: cumulative, measure: Buyers, timeDimension: Day, window: 3 }
  Buyers so far: { type: cumulative, measure: Buyers, timeDimension: Day }
  Middle of 3: { type: cumulative, measure: Middle, timeDimension: Day, window: 3 }
`)

const ask = (...measures: readonly string[]) => ({ select: { dimensions: ['Day:month'], measures } })
const rulesOf = (...measures: readonly string[]): readonly string[] =>
  compileFor(ask(...measures), model)
    .explain()
    .rules.filter((rule) => rule.startsWith('window-'))

for (const [measure, rule] of [
  ['Revenue of 3', 'window-frames'],
  ['Buyers of 3', 'window-counts'],
  ['Buyers so far', 'window-counts'],
] as const)
  t.test(`${measure} compares no pairs of windows and rows`, (t) => {
    t.same(rulesOf(measure), [rule])
    t.notMatch(compileFor(ask(measure), model).sql, /since/)
    t.end()
  })

t.test('a median is not a value of periods', (t) => {
  t.same(rulesOf('Middle of 3'), [])
  t.end()
})

t.test('an engine without frames of intervals joins them by a range', (t) => {
  t.same(compileFor(ask('Revenue of 3', 'Buyers of 3'), model, mariadb).explain().rules, [])
  t.end()
})

t.test('a plan whose windows are not read from rows of an answer is left alone', (t) => {
  const lookup = lookupIn(canonicalPlan(ask('Revenue of 3'), model))!
  const facts = { hints: { ...NO_HINTS, rangeFrames: true }, typeOf: () => ({ kind: 'int' }) as const }
  t.ok(windowFrames.rewrite(lookup, facts))
  const { from } = lookup
  if (from.kind !== 'aggregate' || from.input.kind !== 'join') throw new Error('not the rows of windows')
  const { window: _, ...join } = from.input
  const others: readonly Lookup[] = [
    { ...lookup, from: { ...from, input: join } },
    { ...lookup, from: { ...from, sets: [[]] } },
    { ...lookup, from: { kind: 'limit', input: from, limit: 1, offset: undefined } },
    {
      ...lookup,
      from: { ...from, input: { ...from.input, left: { kind: 'limit', input: join.left, limit: 1, offset: undefined } } },
    },
  ]
  for (const other of others) {
    t.equal(windowFrames.rewrite(other, facts), undefined)
    t.equal(windowCounts.rewrite(other, facts), undefined)
  }
  t.end()
})

function lookupIn(plan: LogicalPlan): Lookup | undefined {
  const below = (): Lookup | undefined =>
    inputsOf(plan)
      .map(lookupIn)
      .find((found) => found !== undefined)
  return plan.kind === 'lookup' ? plan : below()
}

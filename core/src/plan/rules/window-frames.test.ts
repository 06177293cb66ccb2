import t from 'tap'
import { mariadb } from '../../../../plugins/dialect-mariadb/src/index.js'
import { canonicalPlan, compileFor, loadText } from '../../../../test/support/compile.js'
import { factsOf, named, nodesIn, own, project } from '../../../../test/support/plans.js'
import { shopRows, withRule } from '../../../../test/support/rule-answers.js'
import { firstOf } from '../../invariant.js'
import { type DataType, FLOAT, INT, STRING } from '../../model/data-type.js'
import { isNotNull } from '../../resolve/expressions.js'
import type { RelationColumn } from '../../resolve/relation-column.js'
import type { Dialect } from '../../sql/dialect.js'
import { inputsOf } from '../inputs.js'
import type { Aggregate, Join, LogicalPlan, Lookup, NamedAggregate } from '../logical-plan.js'
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
  Mean of 3: { type: cumulative, measure: Revenue, timeDimension: Day, window: 3, cumulativeType: avg }
  Least so far: { type: cumulative, measure: Revenue, timeDimension: Day, cumulativeType: min }
  Most of 3: { type: cumulative, measure: Revenue, timeDimension: Day, window: 3, cumulativeType: max }
  Months of 3: { type: cumulative, measure: Revenue, timeDimension: Day, window: 3, cumulativeType: count }
  Middle of 3: { type: cumulative, measure: Middle, timeDimension: Day, window: 3 }
`)

const ask = (...measures: readonly string[]) => ({ select: { dimensions: ['Day:month'], measures } })
const rulesOf = (measures: readonly string[], dialect?: Dialect): readonly string[] =>
  compileFor(ask(...measures), model, dialect)
    .explain()
    .rules.filter((rule) => rule.startsWith('window-'))

for (const [measure, rule] of [
  ['Revenue of 3', 'window-frames'],
  ['Buyers of 3', 'window-counts'],
  ['Buyers so far', 'window-counts'],
] as const)
  t.test(`${measure} compares no pairs of windows and rows`, (t) => {
    t.same(rulesOf([measure]), [rule])
    t.notMatch(compileFor(ask(measure), model).sql, /since/)
    t.end()
  })

t.test('a median is not a value of periods', (t) => {
  t.same(rulesOf(['Middle of 3']), [])
  t.end()
})

t.test('an engine without frames of intervals joins them by a range', (t) => {
  t.same(rulesOf(['Revenue of 3', 'Buyers of 3'], mariadb), [])
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

t.test('the values are those of the rows in each window', async (t) => {
  const connection = await shopRows()
  for (const measure of ['Revenue of 3', 'Mean of 3', 'Least so far', 'Most of 3', 'Months of 3'])
    t.equal(await withRule('window-frames', ask(measure), model, connection), 'the same answer', measure)
  connection.closeSync()
})

const given = lookupIn(canonicalPlan(ask('Revenue of 3'), model))!
const values = given.from as Aggregate
const join = values.input as Join
const sum = firstOf(values.aggregates)
const arg = firstOf(sum.args) as RelationColumn
const ofCalls = (...aggregates: readonly NamedAggregate[]): Lookup => ({ ...given, from: { ...values, aggregates } })
const ofRows = (right: LogicalPlan): Lookup => ({ ...given, from: { ...values, input: { ...join, right } } })
const right = join.right as Aggregate
const inner = project(right, right.keys)
const texts = { ...sum, args: [{ ...arg, type: STRING }] }

for (const [title, node, fires] of [
  ['two values', ofCalls(sum, { ...sum, name: 'Other' }), true],
  ['a value and a median', ofCalls(sum, { ...sum, aggregate: 'median' }), false],
  ['different values', ofCalls({ ...sum, distinct: true }), false],
  ['values in an order', ofCalls({ ...sum, orderBy: [{ expression: arg } as never] }), false],
  ['values that meet a condition', ofCalls({ ...sum, filter: isNotNull(arg) }), false],
  ['two columns', ofCalls({ ...sum, args: [arg, arg] }), false],
  ['an expression', ofCalls({ ...sum, args: [isNotNull<RelationColumn>(arg)] }), false],
  ['no column', ofCalls({ ...sum, args: [] }), false],
  ['the least text', ofCalls({ ...texts, aggregate: 'min' }), false],
  ['a count of texts', ofCalls({ ...texts, aggregate: 'count' }), true],
  ['periods under their own names', ofRows(project(inner, [named(arg.name, own(arg.name))])), true],
  ['periods under other names', ofRows(project(inner, [named('Other', own(arg.name))])), false],
  [
    'periods of which one has another name',
    ofRows(project(inner, [named(arg.name, own(arg.name)), named('Other', own(arg.name))])),
    false,
  ],
  ['computed periods', ofRows(project(inner, [named(arg.name, isNotNull<RelationColumn>(own(arg.name)))])), false],
  ['projected rows', ofRows(project(right, [named(arg.name, own(arg.name))])), false],
  ['periods below another node', ofRows({ kind: 'limit', input: inner, limit: 1, offset: undefined }), false],
] as const satisfies readonly (readonly [string, Lookup, boolean])[])
  t.test(`${title} ${fires ? 'are framed' : 'are joined to their windows'}`, async (t) =>
    t.equal(windowFrames.rewrite(node, factsOf({ rangeFrames: true })) !== undefined, fires),
  )

t.test('another node is left alone', async (t) =>
  t.equal(windowFrames.rewrite(values, factsOf({ rangeFrames: true })), undefined),
)

t.test('a mean is computed in doubles', async (t) => {
  const kindOf = (type: DataType) => {
    const mean = ofCalls({ ...sum, aggregate: 'avg', args: [{ ...arg, type }] })
    const after = windowFrames.rewrite(mean, factsOf({ rangeFrames: true }))!
    const periods = nodesIn(after, 'project').find(({ alias }) => alias === 'given_periods')
    return periods?.columns.find(({ name }) => name === sum.name)?.expression.kind
  }
  t.equal(kindOf(INT), 'cast')
  t.equal(kindOf(FLOAT), 'column')
})

function lookupIn(plan: LogicalPlan): Lookup | undefined {
  const below = (): Lookup | undefined =>
    inputsOf(plan)
      .map(lookupIn)
      .find((found) => found !== undefined)
  return plan.kind === 'lookup' ? plan : below()
}

/** A rule that changes what a value is computed from is a fault, which the driver finds after the rule. */
import t from 'tap'
import { combined, leg } from '../../../../test/support/plans.js'
import { INT } from '../../model/data-type.js'
import { binary, integer } from '../../resolve/expressions.js'
import { type RelationColumn, relationColumn } from '../../resolve/relation-column.js'
import { equal } from '../../resolve/row-terms.js'
import { type Aggregate, type Join, type LogicalPlan, plainAggregate, type Scan } from '../logical-plan.js'
import { overColumns } from '../over-columns.js'
import { ruleFault } from './rule-fault.js'

const scan = (object: string): Scan => ({ kind: 'scan', object, source: { kind: 'table', name: object }, alias: object }) as Scan
const column = relationColumn('Orders', 'n', INT)
const filter = (input: LogicalPlan, least: number): LogicalPlan => ({
  kind: 'filter',
  input,
  condition: binary<RelationColumn>('>', column, integer(least)),
  reason: '',
})
const sum = (input: LogicalPlan, name = 'Total'): Aggregate => ({
  kind: 'aggregate',
  input,
  alias: 'facts',
  keys: [],
  aggregates: [plainAggregate(name, 'sum', [column], INT)],
  reason: '',
})
const rule = { name: 'daring', rewrite: () => undefined }
const before = sum(filter(scan('Orders'), 1))

for (const [title, after, fault] of [
  ['the same plan', before, undefined],
  ['the parts of a total', { ...sum(before), input: before }, undefined],
  ['another condition', sum(filter(scan('Orders'), 2)), /'daring' changes what 'Total' is computed from/],
  ['no condition', sum(scan('Orders')), /computed from/],
  ['another table', sum(filter(scan('Returns'), 1)), /computed from/],
  ['another name', sum(filter(scan('Orders'), 1), 'Sum'), /changes the columns/],
] as const)
  t.test(title, async (t) => {
    const found = ruleFault(rule, before, after)
    if (fault) t.match(found, fault)
    else t.equal(found, undefined)
  })

t.test('a rule that says conditions in other words may change them, but no table', async (t) => {
  const rephrasing = { ...rule, rephrases: true }
  t.equal(ruleFault(rephrasing, before, sum(filter(scan('Orders'), 2))), undefined)
  t.match(ruleFault(rephrasing, before, sum(filter(scan('Returns'), 1))), /computed from/)
})

t.test('a rule that leaves rows out may compute values from less, and leave some out', async (t) => {
  const leaving = { ...rule, leavesOut: true }
  const both = combined([], [leg(before, ['Total']), leg(sum(scan('Returns'), 'Their Total'), [])])
  t.equal(ruleFault(leaving, both, combined([], [leg(before, ['Total'])])), undefined)
  t.match(ruleFault(rule, both, combined([], [leg(before, ['Total'])])), /'Their Total' is computed from/)
  t.equal(ruleFault(leaving, before, sum(scan('Orders'))), undefined, 'without a condition')
  t.match(ruleFault(leaving, before, sum(filter(scan('Orders'), 2))), /computed from/, 'another condition')
})

const joined = (type: 'left' | 'inner', findsOne = true): Join => ({
  kind: 'join',
  type,
  findsOne,
  left: scan('Orders'),
  right: scan('Customers'),
  on: [equal(column, relationColumn('Customers', 'id', INT))],
  label: { from: 'Orders', to: 'Customers', columns: [], reason: '' },
})

for (const [title, input, fault] of [
  ['a join that leaves out and repeats no row', joined('left'), undefined],
  ['a join that leaves out rows', joined('inner'), /computed from/],
  ['a join that repeats rows', joined('left', false), /computed from/],
  ['a join that a condition reads', filterOf(joined('left')), /computed from/],
] as const)
  t.test(`a rule that drops joins, and ${title}`, async (t) => {
    const found = ruleFault({ ...rule, drops: true }, sum(input), sum(scan('Orders')))
    if (fault) t.match(found, fault)
    else t.equal(found, undefined)
    t.match(ruleFault(rule, sum(input), sum(scan('Orders'))), /computed from/)
  })

function filterOf(input: LogicalPlan): LogicalPlan {
  const condition = binary<RelationColumn>('>', relationColumn('Customers', 'id', INT), integer(1))
  return { kind: 'filter', input, condition, reason: '' }
}

t.test(
  'a rule that computes values together may read the tables of other values for one, but no others, and all of its own',
  async (t) => {
    const sharing = { ...rule, shares: true }
    const two = (first: LogicalPlan, second: LogicalPlan) =>
      combined([], [leg(sum(first), ['Total']), leg(sum(second, 'Other'), ['Other'])])
    const apart = two(scan('Orders'), scan('Returns'))
    const together = { ...joined('inner'), right: scan('Returns') }
    t.equal(ruleFault(sharing, apart, two(together, scan('Returns'))), undefined)
    t.match(ruleFault(rule, apart, two(together, scan('Returns'))), /'Total' is computed from/)
    t.match(ruleFault(sharing, apart, two(joined('inner'), scan('Returns'))), /'Total' is computed from/, 'a table of no value')
    t.match(
      ruleFault(sharing, two(together, scan('Returns')), two(scan('Returns'), scan('Returns'))),
      /'Total' is computed from/,
      'one less',
    )
  },
)

t.test('a rule that carries filters in columns may say them as a CASE, and may lose none', async (t) => {
  const carrying = { ...rule, carries: true }
  const open = binary<RelationColumn>('>', column, integer(1))
  const over = (input: LogicalPlan, filter: typeof open | undefined): Aggregate => {
    const { aggregates, ...node } = sum(input)
    return { ...node, aggregates: aggregates.map((call) => ({ ...call, filter })) }
  }
  const carried = overColumns(over(scan('Orders'), open), 'rows', () => INT)
  t.equal(ruleFault(carrying, over(scan('Orders'), open), carried), undefined)
  t.match(ruleFault(rule, over(scan('Orders'), open), carried), /'Total' is computed from/)
  const lost = overColumns(over(scan('Orders'), undefined), 'rows', () => INT)
  t.match(ruleFault(carrying, over(scan('Orders'), open), lost), /'Total' is computed from/)
})

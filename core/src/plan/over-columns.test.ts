/** An aggregation whose values are columns of its rows. */
import t from 'tap'
import { above, aggregate, column, named, scan, sumOf } from '../../../test/support/plans.js'
import { said } from '../../../test/support/said.js'
import { INT } from '../model/data-type.js'
import { TRUE } from '../resolve/expressions.js'
import type { Aggregate, NamedAggregate } from './logical-plan.js'
import { plainAggregate } from './logical-plan.js'
import { overColumns } from './over-columns.js'

const [n, m] = [column('t', 'n'), column('t', 'm')]
const over = (aggregates: readonly NamedAggregate[], keys = [named('Key', column('t', 'k'))]): Aggregate =>
  overColumns(aggregate(scan('t'), keys, aggregates), 'rows', () => INT)
const columns = ({ input }: Aggregate) =>
  input.kind === 'project' ? input.columns.map(({ name, expression }) => `${name} = ${said(expression)}`) : []
const args = ({ aggregates }: Aggregate) => aggregates.map((one) => one.args.map((arg) => said(arg)).join())

t.test('keys and values are columns', async (t) => {
  const made = over([sumOf('a', n), sumOf('b', m)])
  t.same(columns(made), ['Key = t.k', 'value_1 = t.n', 'value_2 = t.m'])
  t.same(args(made), ['rows.value_1', 'rows.value_2'])
  t.same(
    made.keys.map(({ expression }) => said(expression)),
    ['rows.Key'],
  )
  t.match(made.input, { alias: 'rows', stage: true, input: scan('t') })
})

t.test('equal values are one column', async (t) => {
  const made = over([sumOf('a', n), sumOf('b', n)])
  t.same(columns(made), ['Key = t.k', 'value_1 = t.n'])
  t.same(args(made), ['rows.value_1', 'rows.value_1'])
})

t.test('a filter is part of the first value', async (t) => {
  const made = over([sumOf('a', n, { filter: above(m), args: [n, m] })])
  t.same(columns(made).slice(1), ['value_1 = case (t.m > 0): t.n', 'value_2 = t.m'])
  t.equal(made.aggregates[0]?.filter, undefined)
})

t.test('a count of rows that meet a filter counts ones', async (t) => {
  const count = plainAggregate('c', 'count', [], INT)
  t.same(columns(over([{ ...count, filter: above(m) }])).slice(1), ['value_1 = case (t.m > 0): 1'])
  t.same(columns(over([count])).slice(1), [], 'of all rows nothing is read')
  t.same(args(over([count])), [''])
})

t.test('a condition on the rows of a count is read from a column that says where it holds', async (t) => {
  const count = plainAggregate('c', 'count', [n], INT)
  const made = over([{ ...count, onlyWith: above(m) }])
  t.same(columns(made).slice(1), ['value_1 = t.n', 'met_2 = case (t.m > 0): 1'])
  t.equal(said(made.aggregates[0]!.onlyWith!), 'rows.met_2 is not null')
  t.equal(over([{ ...count, onlyWith: TRUE }]).aggregates[0]!.onlyWith, TRUE, 'every row is')
})

t.test('what orders values is a column, and names of keys are taken', async (t) => {
  const key = { expression: m, type: INT, descending: true, nullsFirst: false }
  const made = over([sumOf('a', n, { orderBy: [key] })], [named('value_1', column('t', 'k'))])
  t.same(columns(made), ['value_1 = t.k', 'value_1_2 = t.n', 'order_2 = t.m'])
  t.match(made.aggregates[0]?.orderBy, [{ ...key, expression: { table: 'rows', name: 'order_2' } }])
})

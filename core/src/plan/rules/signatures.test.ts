/** What a value is computed from, whatever nodes are between it and the tables: rules must not change it. */
import t from 'tap'
import { compileFor } from '../../../../test/support/compile.js'
import { shop } from '../../../../test/support/models.js'
import {
  above,
  aggregate,
  column,
  combined,
  distinct,
  filter,
  joinTo,
  leg,
  lookup,
  named,
  own,
  project,
  rowColumn,
  scan,
  shared,
  sumOf,
} from '../../../../test/support/plans.js'
import { INT } from '../../model/data-type.js'
import { allOf, anyOf, binary, integer, isNotNull, typedNull } from '../../resolve/expressions.js'
import type { RelationColumn, RowExpr } from '../../resolve/relation-column.js'
import { type LogicalPlan, type NamedWindow, plainAggregate, type Union } from '../logical-plan.js'
import { Signatures } from './signatures.js'

const of = (name: string): RelationColumn => column('Orders', name)
const [open, big] = [above(of('open')), above(of('n'), 9)]
const key = named('Key', of('key'))
const orders = scan('Orders')
const [sum, groups] = [
  sumOf('Sum', of('n')),
  (input: LogicalPlan, calls = [sumOf('Sum', of('n'))]) => aggregate(input, [key], calls),
]
const beyond = (value: bigint): RowExpr => binary('>', of('n'), { kind: 'literal', value, type: INT })
const withCustomers = joinTo(orders, 'Customers', of('customer'))
const call = (name: string, arg: RowExpr): NamedWindow => ({
  name,
  type: INT,
  function: 'sum',
  args: [arg],
  partitionBy: [],
  orderBy: [],
})
const window = (input: LogicalPlan, ...calls: readonly NamedWindow[]): LogicalPlan => ({
  kind: 'window',
  alias: 'w',
  input,
  columns: [],
  calls,
})
const absent = named('Sum', typedNull(INT))
const union = (...inputs: readonly LogicalPlan[]): Union => ({
  kind: 'union',
  alias: 'all',
  inputs,
  columns: [rowColumn('Sum')],
  reason: '',
})
const given = (object: string) => project(scan(object), [named('Sum', column(object, 'n'))])
const marked = (object: string, mark: number) => project(scan(object), [named('Asked', integer(mark))])
const asked = binary<RelationColumn>('=', own('Asked'), integer(1))
const lacking = (object: string) => project(scan(object), [absent])
const total = (input: LogicalPlan, arg: RowExpr = own('Sum'), more = {}) => aggregate(input, [], [sumOf('Total', arg, more)])
const windows = { time: {} } as never

/** The tables of a value and the number of its conditions, with all tables and with those that are read. */
const signed = (plan: LogicalPlan, name = 'Total'): readonly unknown[] =>
  [false, true].map((isOfRead) => {
    const [found] = new Signatures(plan, isOfRead).of(name)
    return found && [[...found.tables].sort().join(' '), found.conditions.size]
  })

for (const [title, plan, all, read] of [
  ['a sum of rows', total(orders, of('n')), ['Orders', 0]],
  ['rows that meet a condition', total(filter(orders, open), of('n')), ['Orders', 1]],
  [
    'conditions whose numbers have more digits than a double',
    total(filter(filter(orders, beyond(9007199254740992n)), beyond(9007199254740993n)), of('n')),
    ['Orders', 2],
  ],
  ['two conditions, in one or in two nodes', total(filter(orders, allOf([open, big])!), of('n')), ['Orders', 2]],
  ['a condition that a value exists', total(filter(orders, isNotNull<RelationColumn>(of('n'))), of('n')), ['Orders', 0]],
  ['a condition of the value', total(orders, of('n'), { filter: open }), ['Orders', 1]],
  ['a table that nothing reads', total(withCustomers, of('n')), ['Customers Orders', 0], ['Orders', 0]],
  ['one that a value reads', total(withCustomers, column('Customers', 'n')), ['Customers Orders', 0]],
  ['one that a condition reads', total(filter(withCustomers, above(column('Customers', 'n'))), of('n')), ['Customers Orders', 1]],
  [
    'one on the way to another',
    total(joinTo(withCustomers, 'Regions', column('Customers', 'region')), column('Regions', 'n')),
    ['Customers Orders Regions', 0],
  ],
  [
    'one by which rows are left out',
    total(joinTo(orders, 'Customers', of('c'), { type: 'inner' }), of('n')),
    ['Customers Orders', 0],
  ],
  [
    'one by which rows are repeated',
    total(joinTo(orders, 'Customers', of('c'), { findsOne: false }), of('n')),
    ['Customers Orders', 0],
  ],
  ['a total of groups', total(groups(filter(orders, open))), ['Orders', 1]],
  ['a total of groups under a condition on their values', total(filter(groups(orders), above(own('Sum')))), ['Orders', 0]],
  ['a total of keys', total(groups(orders), own('Key')), ['Orders', 0]],
  [
    'a total of groups with a condition on a value',
    total(groups(filter(orders, open)), own('Sum'), { filter: above(own('Sum')) }),
    ['Orders', 1],
  ],
  [
    'a total of rows with a condition on another column',
    total(groups(orders), own('Sum'), { filter: above(own('Gone')) }),
    ['Orders', 1],
  ],
  [
    'a total of a computed value',
    total(project(groups(filter(orders, open)), [named('Sum', binary('+', own('Sum'), integer(1)))])),
    ['Orders', 1],
  ],
  ['a total of shared groups', total(shared(groups(filter(orders, open)), [rowColumn('Key'), rowColumn('Sum')])), ['Orders', 1]],
  [
    'a total of one of two facts',
    total(combined([], [leg(groups(orders), ['Sum']), leg(groups(scan('Returns')), ['Other'])])),
    ['Orders', 0],
  ],
  [
    'a value that is looked up',
    total(lookup(groups(scan('Returns')), groups(filter(orders, open), [sumOf('Far', of('n'))]), ['Far']), own('Far')),
    ['Orders', 1],
  ],
  [
    'a value beside one that is looked up',
    total(lookup(groups(filter(orders, open)), groups(scan('Returns')), ['Far'])),
    ['Orders', 1],
  ],
  ['a total of distinct keys', total(distinct(groups(filter(orders, open)), [named('Sum', own('Sum'))])), ['Orders', 1]],
  [
    'rows that a mark tells apart',
    total(filter(window(union(marked('Orders', 1), marked('Returns', 0))), asked), own('Gone')),
    ['Orders Returns', 0],
  ],
  [
    'rows that a column tells apart',
    total(filter(window(union(marked('Orders', 1), given('Returns'))), asked), own('Gone')),
    ['Orders Returns', 1],
  ],
  ['a window over groups', window(groups(filter(orders, open)), call('Total', own('Sum'))), ['Orders', 1]],
  ['a total of windows', total(window(groups(filter(orders, open)), call('Sum', own('Sum')))), ['Orders', 1]],
  ['a total of values below a window', total(window(groups(filter(orders, open)), call('Other', own('Key')))), ['Orders', 1]],
  ['one of several united rows', total(union(given('Orders'), lacking('Returns'))), ['Orders', 0]],
  ['both of them', total(union(given('Orders'), given('Returns'))), ['Orders Returns', 0]],
  ['united rows under a condition', total(filter(union(given('Orders'), lacking('Returns')), above(own('Sum')))), ['Orders', 1]],
  [
    'united rows with a joined table',
    total(joinTo(union(given('Orders'), lacking('Returns')), 'Customers', own('c'))),
    ['Customers Orders', 0],
  ],
  [
    'united rows with their keys',
    total({ ...joinTo(union(given('Orders')), 'Customers', own('c')), right: distinct(shared(groups(scan('Returns')), []), []) }),
    ['Orders', 0],
  ],
  ['a window over united rows', window(union(given('Orders'), lacking('Returns')), call('Total', own('Sum'))), ['Orders', 0]],
  [
    'united groups of which one lacks the value',
    total(project(shared(union(groups(orders), project(groups(scan('Returns')), [absent])), []), [named('Sum', own('Sum'))])),
    ['Orders', 0],
  ],
  [
    'rows with the keys of the answer',
    total({ ...withCustomers, right: distinct(shared(groups(scan('Returns')), []), []) }, of('n')),
    ['Orders', 0],
  ],
  [
    'rows in the windows of an answer',
    total({ ...joinTo(groups(scan('Returns')), 'Orders', own('Key')), window: windows, right: orders }, of('n')),
    ['Orders', 0],
  ],
  [
    'values in the windows of an answer',
    total({ ...joinTo(groups(scan('Returns')), 'Orders', own('Key')), window: windows, right: groups(filter(orders, open)) }),
    ['Orders', 1],
  ],
  [
    'rows with names that are looked up',
    total(lookup(orders, project(scan('Names'), [key]), []), of('n')),
    ['Names Orders', 0],
    ['Orders', 0],
  ],
  [
    'rows beside values that are looked up',
    total(lookup(orders, groups(scan('Returns')), ['Sum']), of('n')),
    ['Orders Returns', 0],
  ],
] as const satisfies readonly (readonly [string, LogicalPlan, readonly unknown[], (readonly unknown[])?])[])
  t.test(`${title}: ${all[0]}, ${all[1]} conditions`, async (t) => t.same(signed(plan), [all, read ?? all]))

t.test('rows that no value of an aggregation counts are no condition of it', async (t) => {
  const either = filter(orders, anyOf([open, big]))
  const both = [sumOf('Total', of('n'), { filter: open }), sumOf('Other', of('n'), { filter: big })]
  t.same(
    signed(aggregate(either, [], both)),
    [
      ['Orders', 1],
      ['Orders', 1],
    ],
    'its own',
  )
  t.same(
    signed(aggregate(either, [], [...both, plainAggregate('Flag', 'grouping', [of('key')], INT)])),
    [
      ['Orders', 1],
      ['Orders', 1],
    ],
    'a flag of grouping sets counts none',
  )
  t.same(
    signed(aggregate(either, [], [both[0]!, sumOf('Other', of('n'))])),
    [
      ['Orders', 2],
      ['Orders', 2],
    ],
    'another value counts all',
  )
  t.same(
    signed(aggregate(filter(either, above(of('x'))), [], both)),
    [
      ['Orders', 2],
      ['Orders', 2],
    ],
    'another condition stays',
  )
  t.same(signed(aggregate(filter(orders, open), [], [both[0]!])), [
    ['Orders', 1],
    ['Orders', 1],
  ])
})

t.test('the values of a plan, each by its name', async (t) => {
  const plan = project(total(groups(orders)), [
    named('Shown', binary('*', own('Total'), integer(2))),
    named('Copy', own('Total')),
  ])
  const signatures = new Signatures(plan, false)
  t.same([...signatures.values.keys()].sort(), ['Sum', 'Total'])
  t.same(
    signatures.of('Shown').map(({ tables }) => [...tables]),
    [['Orders']],
    'a computed column',
  )
  t.same(signatures.of('Copy'), [], 'a name of a value')
  t.same(signatures.of('Gone'), [])
})

t.test('the parts of a value are one with it', async (t) => {
  const parts = combined(
    [],
    [leg(aggregate(filter(orders, open), [], [sum]), ['Sum']), leg(aggregate(scan('Returns'), [], [sum]), ['Sum'])],
  )
  t.same(signed(parts, 'Sum'), [
    ['Orders Returns', 1],
    ['Orders Returns', 1],
  ])
})

t.test('a count of groups does not read a table that only names them', async (t) => {
  const count = plainAggregate('Total', 'sum', [integer(1)], INT)
  const customer = named('Customer', column('Customers', 'name'))
  t.same(signed(aggregate(project(aggregate(withCustomers, [key, customer], [sum]), [named('Sum', own('Sum'))]), [], [count])), [
    ['Customers Orders', 0],
    ['Orders', 0],
  ])
})

t.test('a name that is looked up is of its table and of the key by which it is found', async (t) => {
  const names = project(scan('Customers'), [named('Name', column('Customers', 'name'))])
  const found = lookup(groups(orders), names, ['Name'])
  t.same(signed(total(found, own('Name'))), [
    ['Customers Orders', 0],
    ['Customers Orders', 0],
  ])
})

t.test('a count of rows reads all of them', async (t) => {
  const count = plainAggregate('Total', 'count', [], INT)
  t.same(signed(aggregate(filter(orders, open), [], [count])), [
    ['Orders', 1],
    ['Orders', 1],
  ])
  t.same(signed(aggregate(groups(filter(orders, open)), [], [count])), [
    ['Orders', 1],
    ['Orders', 1],
  ])
})

t.test('a number with more digits than a double has is a part of it', async (t) => {
  const of = (number: string) =>
    compileFor(
      { select: { dimensions: ['Region'], measures: ['Sales'] }, where: [{ expression: `{[Orders].[Amount]} < ${number}` }] },
      shop,
    ).sql
  t.match(of('9007199254740993'), /9007199254740993/)
})

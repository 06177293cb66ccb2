/** A plan in words: what is read, which joins there are, and each step as one line. */
import t from 'tap'
import { resolved } from '../../../test/support/bound.js'
import { compileFor } from '../../../test/support/compile.js'
import { shop } from '../../../test/support/models.js'
import {
  above,
  aggregate,
  column,
  combined,
  filter,
  joinTo,
  leg,
  limited,
  named,
  own,
  project,
  rowColumn,
  scan,
  sumOf,
} from '../../../test/support/plans.js'
import { INT, STRING } from '../model/data-type.js'
import { binary, call, integer, isNull, not, onlyWhere, text } from '../resolve/expressions.js'
import { explainPlan, readOf } from './explain.js'
import type { Explain } from './explain-plan.js'
import type { LogicalPlan, RowExpr } from './logical-plan.js'

const sales = { select: { dimensions: ['Region'], measures: ['Sales'] } }
const explained = (query: object): Explain => compileFor(query, shop).explain()
const of = (plan: LogicalPlan, bases: readonly string[] = ['Orders'], query: object = sales): Explain =>
  explainPlan(plan, bases, resolved(query, shop), [], [], [])
const detail = (plan: LogicalPlan): string => of(plan).plan.detail
const said = (condition: RowExpr): string => detail(filter(scan('t'), condition)).replace(/ \(\)$/, '')
const n = column('t', 'n')

t.test('tables and objects are read once each, in order', async (t) => {
  const orders = scan('Orders', { source: { kind: 'table', database: 'db', schema: 's', name: 'orders' } })
  const made = scan('Made', { source: { kind: 'sql' } as never })
  const plan = combined([], [leg(orders, []), leg(project(joinTo(orders, 'Customers', n), []), []), leg(made, [])])
  t.same(readOf(plan), { physical_tables: ['Customers', 'db.s.orders'], data_objects: ['Customers', 'Made', 'Orders'] })
})

t.test('one fact is a single one, and several are apart', async (t) => {
  t.match(explained(sales), {
    planner: 'single-fact',
    planner_reason: /from the rows of one data object/,
    base_object: 'Orders',
    base_object_reason: 'the object whose rows the question counts',
    cfl_legs: [],
  })
  const both = explained({ select: { dimensions: ['Region'], measures: ['Sales', 'Returned'] } })
  t.match(both, { planner: 'multi-fact', planner_reason: /apart/, base_object_reason: /the first of the facts/ })
  t.match(both.cfl_legs, [
    { measure_source: 'Orders', common_root: 'Orders', measures: ['Sales'], reason: 'its rows are rows of the answer' },
    {
      measure_source: 'Returns',
      measures: ['Returned'],
      joins: [{ to_object: 'Customers' }, { to_object: 'Regions' }],
    },
  ])
  t.equal(explained({ select: { fields: ['Orders.Id'] } }).planner, 'raw')
  t.equal(of(scan('t'), ['Orders', 'Orders']).planner, 'single-fact', 'two blocks of one object')
  t.equal(of(combined([], [leg(scan('t'), [])])).planner, 'multi-fact')
  t.match(of(scan('t'), []), { base_object: '', planner: 'single-fact' })
})

t.test('a leg that creates no rows says so, and one without a base has its own name', async (t) => {
  const { cfl_legs: legs } = of(combined([], [leg(scan('t'), ['a']), leg(scan('u'), ['b'], { contributesRows: false })]), [
    'Orders',
  ])
  t.match(legs, [
    { measure_source: 'Orders', common_root: 'Orders' },
    { measure_source: 'facts', common_root: 'facts', reason: 'it only brings values to rows that others make' },
  ])
})

t.test('values that are computed before it are no part of the answer', async (t) => {
  const united = combined([], [leg(scan('t'), [])])
  for (const kind of ['chosen', 'measured', 'pairs']) {
    const plan = { kind, name: 'x', of: 'y', names: { pairs: 'p' }, values: united, nodes: united, input: scan('t') } as never
    t.equal(of(plan).planner, 'single-fact', kind)
  }
})

t.test('joins of the model are told with their roles and ways', async (t) => {
  t.match(explained(sales).joins, [
    { from_object: 'Orders', to_object: 'Customers', join_columns: ['Customer Id'] },
    { from_object: 'Customers', to_object: 'Regions' },
  ])
  const [bare] = of({ ...joinTo(scan('t'), 'u', n), label: { from: 't', to: 'u', columns: ['n'], reason: 'why' } }).joins
  t.same(bare, { from_object: 't', to_object: 'u', join_columns: ['n'], reason: 'why' })
  const [known] = of({
    ...joinTo(scan('t'), 'u', n),
    label: { from: 't', to: 'u', columns: [], reason: '', role: 'r', way: ['t', 'u'] },
  }).joins
  t.match(known, { role: 'r', way: ['t', 'u'] })
  t.same(of(joinTo(scan('t'), 'u', n)).joins, [], 'a join without an object combines rows')
})

t.test('conditions and totals are counted', async (t) => {
  const where = [{ field: 'Status', op: 'equals', value: 'paid' }]
  const having = [{ field: 'Sales', op: 'gt', value: 5 }]
  t.match(explained({ ...sales, where, having }), { where_filter_count: 1, having_filter_count: 1, has_totals: false })
  t.match(explained(sales), { where_filter_count: 0, having_filter_count: 0 })
  t.match(explained({ ...sales, grouping: 'rollup', having }), { having_filter_count: 1, has_totals: true })
  t.match(explained({ select: { fields: ['Orders.Id'] } }), { having_filter_count: 0, has_totals: false })
  t.equal(explained({ select: { dimensions: ['Region', 'Customer'], measures: ['Sales', 'Sales of Region'] } }).has_totals, true)
  t.equal(explained({ select: { dimensions: ['Region', 'Status'], measures: ['Sales'] } }).has_totals, false)
})

t.test('a stored column says what is known of it', async (t) => {
  const stored = [
    { name: 'a', declared: INT, physical: { name: 'TINYINT' }, collation: 'de' },
    { name: 'b', declared: STRING, physical: undefined, collation: undefined },
  ]
  t.same(explainPlan(scan('t'), [], resolved(sales, shop), stored as never, [], []).stored_columns, [
    { column: 'a', declared: 'int', stored: 'TINYINT', collation: 'de' },
    { column: 'b', declared: 'string', stored: null, collation: null },
  ])
})

t.test('a step is one line', async (t) => {
  t.equal(detail(scan('t')), 't as t')
  t.equal(detail(aggregate(scan('t'), [], [])), 'distinct by nothing ()')
  t.equal(
    detail(aggregate(scan('t'), [named('k', n)], [sumOf('s', n)], { sets: [['k'], []] })),
    's = sum(t.n) by k = t.n in sets (k) () ()',
  )
  t.equal(detail(aggregate(scan('t'), [named('k', n)], [sumOf('s', n)])), 's = sum(t.n) by k = t.n ()')
  t.equal(detail(project(scan('t'), [named('n', n), named('m', n), named('x', integer(1))])), 'n, m = t.n, x = 1')
  t.equal(detail(combined([], [])), 'by nothing ()')
  t.equal(detail(combined([rowColumn('a'), rowColumn('b')], [])), 'by a, b ()')
  t.equal(detail({ ...joinTo(scan('t'), 'u', n), type: 'cross', on: [] }), 'cross  ()')
  t.equal(detail(joinTo(scan('t'), 'u', n)), 'left on (t.n = u.id) ()')
  const key = { expression: n, type: INT, descending: true, nullsFirst: false }
  t.equal(detail({ kind: 'sort', input: scan('t'), keys: [key, { ...key, descending: false }] }), 't.n desc, t.n')
})

t.test('a limit and an offset', async (t) => {
  const cut = (limit: number | undefined, offset: number | undefined) =>
    detail({ ...limited(scan('t')), limit, offset } as LogicalPlan)
  t.equal(cut(5, undefined), 'limit 5')
  t.equal(cut(undefined, 2), 'offset 2')
  t.equal(cut(5, 2), 'limit 5 offset 2')
  t.equal(cut(0, 0), 'limit 0')
})

t.test('expressions are written as they are read', async (t) => {
  t.equal(said(own('x')), 'x')
  t.equal(said(above(n)), '(t.n > 0)')
  t.equal(said(binary('=', n, text('a'))), "(t.n = 'a')")
  t.equal(said(binary('=', n, { kind: 'literal', value: null, type: INT } as never)), '(t.n = null)')
  t.equal(said(not(n)), 'not (t.n)')
  t.equal(said({ kind: 'unary', operator: '-', operand: n }), '-(t.n)')
  t.equal(said(call('f', n, integer(1))), 'f(t.n, 1)')
  t.equal(said(onlyWhere(n, integer(1))), 'case when t.n then 1 end')
  t.equal(
    said({ kind: 'case', branches: [{ when: n, then: integer(1) }], otherwise: integer(2) }),
    'case when t.n then 1 else 2 end',
  )
  t.equal(said({ kind: 'cast', operand: n, type: STRING }), 'cast(t.n as string)')
  t.equal(said(isNull(n)), 't.n is null')
  const list = (count: number) => said({ kind: 'in', operand: n, list: Array.from({ length: count }, (_, i) => integer(i)) })
  t.equal(list(5), 't.n in (0, 1, 2, 3, 4)')
  t.equal(list(6), 't.n in (0, 1, 2, 3, 4, …)')
})

t.test('long and deep expressions are cut', async (t) => {
  const deep = (depth: number): RowExpr => (depth === 0 ? n : not(deep(depth - 1)))
  t.equal(said(deep(11)), `${'not ('.repeat(11)}t.n${')'.repeat(11)}`)
  t.equal(said(deep(12)), `${'not ('.repeat(12)}…${')'.repeat(12)}`)
  const long = (length: number) => said(column('t', 'n'.repeat(length - 2)))
  t.equal(long(400).length, 400)
  t.equal(long(401), `${long(400)}…`)
})

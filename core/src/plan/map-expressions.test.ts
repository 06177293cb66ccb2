/** The expressions of a node, mapped; those of what it reads are left alone. */
import t from 'tap'
import {
  above,
  aggregate,
  column,
  distinct,
  filter,
  joinTo,
  limited,
  lookup,
  named,
  project,
  scan,
  sumOf,
} from '../../../test/support/plans.js'
import { said, saidTerms } from '../../../test/support/said.js'
import { DATE, INT } from '../model/data-type.js'
import { type LogicalPlan, type NamedWindow, plainAggregate, type RowExpr } from './logical-plan.js'
import { mapExpressions } from './map-expressions.js'

const n = column('t', 'n')
const below = filter(scan('t'), above(n))
const key = { expression: n, type: DATE, descending: false, nullsFirst: false }
/** Each expression after it, once more. */
function read(plan: LogicalPlan): readonly string[] {
  const found: string[] = []
  mapExpressions(plan, (expression) => {
    found.push(said(expression))
    return expression
  })
  return found
}
const change = (expression: RowExpr): RowExpr => (expression.kind === 'column' ? column('u', expression.name) : expression)
const changed = <P extends LogicalPlan>(plan: P): P => mapExpressions(plan, change) as P

t.test('a node has its own expressions', async (t) => {
  t.same(read(filter(below, above(n))), ['(t.n > 0)'])
  t.equal(saidTerms(changed(joinTo(below, 'v', n)).on), '(u.n = u.id)')
  for (const columns of [project(below, [named('x', n)]), distinct(below, [named('x', n)])])
    t.same(changed(columns).columns, [named('x', column('u', 'n'))])
  t.match(changed(lookup(below, scan('v'), [], { keys: [{ own: n, theirs: 'Key', type: INT, nullSafe: true }] })), {
    keys: [{ own: { table: 'u' }, theirs: 'Key' }],
  })
  t.match(changed({ kind: 'sort', input: below, keys: [key] } as const), { keys: [{ expression: { table: 'u' } }] })
  t.equal(changed(project(below, [])).input, below)
  const limit = limited(below)
  t.equal(changed(limit), limit, 'without expressions it is the same')
})

t.test('aggregates have arguments, orders and conditions', async (t) => {
  const whole = sumOf('x', n, { orderBy: [key], filter: n, onlyWith: n })
  const [call] = changed(aggregate(below, [named('k', n)], [whole])).aggregates
  t.match(call, {
    args: [{ table: 'u' }],
    orderBy: [{ expression: { table: 'u' } }],
    filter: { table: 'u' },
    onlyWith: { table: 'u' },
  })
  t.same(read(aggregate(below, [named('k', n)], [whole])), ['t.n', 't.n', 't.n', 't.n', 't.n'])
  const plain = plainAggregate('x', 'count', [], INT)
  t.same(changed(aggregate(below, [], [plain])).aggregates, [plain], 'what is absent stays so')
})

t.test('window functions have partitions, too', async (t) => {
  const call: NamedWindow = { name: 'x', type: INT, function: 'sum', args: [n], partitionBy: [n], orderBy: [key] }
  const window = (one: NamedWindow) =>
    ({ kind: 'window', alias: 'w', input: below, columns: [named('c', n)], calls: [one] }) as const
  t.match(changed(window({ ...call, where: n })), {
    columns: [{ expression: { table: 'u' } }],
    calls: [
      { args: [{ table: 'u' }], partitionBy: [{ table: 'u' }], orderBy: [{ expression: { table: 'u' } }], where: { table: 'u' } },
    ],
  })
  t.notOk('where' in changed(window(call)).calls[0])
})

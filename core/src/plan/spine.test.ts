/** Rows with all that is joined to them, as steps that can be put together again. */
import t from 'tap'
import { above, column, filter, joinTo, limited, own, project, scan, shared } from '../../../test/support/plans.js'
import type { LogicalPlan } from './logical-plan.js'
import { columnsRead, isSpineStep, planOfSpine, relationsOf, spineOf } from './spine.js'

const orders = scan('orders')
const joined = joinTo(orders, 'customers', column('orders', 'customer'))
const kept = filter(joined, above(column('customers', 'age')))
const sorted: LogicalPlan = { kind: 'sort', input: kept, keys: [] }
const projected = project(sorted, [])

t.test('joins, filters, orders and limits are steps, and nothing else is', async (t) => {
  for (const step of [joined, kept, sorted, limited(kept)]) t.ok(isSpineStep(step), step.kind)
  for (const other of [orders, projected]) t.notOk(isSpineStep(other), other.kind)
})

t.test('a spine begins with the left rows, and its steps follow from the lowest on', async (t) => {
  const { start, steps } = spineOf(limited(sorted))
  t.equal(start, orders)
  t.same(
    steps.map(({ kind }) => kind),
    ['join', 'filter', 'sort', 'limit'],
  )
  t.same(spineOf(projected), { start: projected, steps: [] })
})

t.test('it can be put together again, also on other rows', async (t) => {
  t.same(planOfSpine(spineOf(sorted)), sorted)
  const others = planOfSpine({ ...spineOf(kept), start: scan('visits') })
  t.equal(spineOf(others).start.kind === 'scan' && spineOf(others).steps.length, 2)
  t.match(others, { input: { left: { object: 'visits' } } })
})

t.test('columns are read in the own expressions of nodes, each once', async (t) => {
  const age = column('customers', 'age')
  t.same(columnsRead([kept, filter(kept, above(age))]), [age])
  t.same(columnsRead([joined]), [column('orders', 'customer'), column('customers', 'id')])
  t.same(columnsRead([project(kept, [])]), [], 'not in those below')
})

t.test('columns are read under the name of their relation', async (t) => {
  t.same(relationsOf(kept), ['orders', 'customers'])
  t.same(relationsOf(project(kept, [])), ['projected'], 'of its own')
  const of = { query: orders, names: [], name: 'x', input: kept }
  t.same(relationsOf({ kind: 'chosen', ...of } as never), ['orders', 'customers'], 'values before it are not read')
  t.same(relationsOf({ kind: 'measured', ...of, rows: scan('visits') } as never), ['orders', 'customers'])
  t.same(relationsOf({ kind: 'pairs', ...of, rows: scan('visits') } as never), ['orders', 'customers'])
  t.same(relationsOf(shared(kept, [own('x')])), ['rows'])
})

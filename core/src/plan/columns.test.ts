/** The columns that each node of a plan computes, in order. */
import t from 'tap'
import {
  above,
  aggregate,
  column,
  combined,
  distinct,
  filter,
  leg,
  limited,
  lookup,
  named,
  own,
  project,
  rowColumn,
  scan,
  shared,
  sumOf,
} from '../../../test/support/plans.js'
import { columnsOf } from './columns.js'
import type { LogicalPlan } from './logical-plan.js'

const names = (plan: LogicalPlan): string =>
  columnsOf(plan)
    .map(({ name }) => name)
    .join()
const [a, b] = [named('a', column('t', 'x')), named('b', column('t', 'y'))]
const rows = project(scan('t'), [a, b])
const total = sumOf('total', column('t', 'x'))

const NODES: readonly (readonly [title: string, plan: LogicalPlan, columns: string])[] = [
  ['a table names its columns itself', scan('t'), ''],
  ['a projection', rows, 'a,b'],
  ['different rows', distinct(scan('t'), [b]), 'b'],
  ['rows that are read twice', shared(scan('t'), [rowColumn('a')]), 'a'],
  [
    'a union',
    { kind: 'union', inputs: [rows, rows], columns: [rowColumn('a'), rowColumn('b')] } as unknown as LogicalPlan,
    'a,b',
  ],
  ['a filter has those of its input', filter(rows, above(own('a'))), 'a,b'],
  ['a limit', limited(rows), 'a,b'],
  ['a sort', { kind: 'sort', input: rows, keys: [] } as unknown as LogicalPlan, 'a,b'],
  [
    'values that are computed before',
    { kind: 'measured', input: rows, values: project(scan('u'), [named('c', own('c'))]) } as unknown as LogicalPlan,
    'a,b',
  ],
  ['pairs that are computed before', { kind: 'pairs', input: rows, nodes: scan('u') } as unknown as LogicalPlan, 'a,b'],
  ['groups: keys and aggregates', aggregate(scan('t'), [a], [total]), 'a,total'],
  ['several facts: keys and their values', combined([rowColumn('a')], [leg(rows, ['x']), leg(rows, ['y', 'z'])]), 'a,x,y,z'],
  ['what is looked up comes last', lookup(rows, scan('u'), ['v']), 'a,b,v'],
  ['windows', { kind: 'window', input: rows, columns: [a], calls: [{ ...total, name: 'w' }] } as unknown as LogicalPlan, 'a,w'],
]
for (const [title, plan, columns] of NODES) t.test(title, async (t) => t.equal(names(plan), columns))

t.test('a column is its name and type, and not how it is computed', async (t) => {
  t.same(columnsOf(rows), [rowColumn('a'), rowColumn('b')])
})

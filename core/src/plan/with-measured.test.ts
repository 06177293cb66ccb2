/** What is computed of other rows comes before the plan that reads it, and after what it reads itself. */
import t from 'tap'
import { bound } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { project, scan } from '../../../test/support/plans.js'
import { wordsOf } from '../../../test/support/relations.js'
import type { BoundMeasured } from '../bind/bound-query.js'
import type { LogicalPlan } from './logical-plan.js'
import { withMeasured } from './with-measured.js'

const model = shopWith({
  dataObjects: {
    Customers: {
      columns: {
        Spent: { measure: 'Sales' },
        Big: { measure: 'Large Orders' },
        Bought: { exists: 'Orders' },
        Place: { window: { function: 'row_number', orderBy: ['Name'] } },
      },
    },
    Regions: { columns: { Up: { code: 'up', abstractType: 'int' } } },
    Tree: { closure: { dataObject: 'Regions', key: 'Id', parent: 'Up', maxDepth: 4 } },
  },
  dimensions: Object.fromEntries(['Spent', 'Bought', 'Place'].map((column) => [column, { dataObject: 'Customers', column }])),
  measures: { 'Large Orders': { aggregation: 'count', columns: [{ dataObject: 'Orders', column: 'Id' }] } },
})
const end = project(scan('answer'), [])

function measuredOf(...dimensions: readonly string[]): readonly BoundMeasured[] {
  return bound({ select: { dimensions, measures: ['Customer Count'] } }, model).measureColumns
}
function kindsOf(plan: LogicalPlan): readonly string[] {
  return plan.kind === 'measured' || plan.kind === 'pairs' ? [plan.kind, ...kindsOf(plan.input)] : [plan.kind]
}

t.test('without such values, the same plan', async (t) => {
  t.equal(withMeasured(end, []), end)
})

t.test('in their order, the plan at the end', async (t) => {
  const measured = measuredOf('Spent', 'Bought')
  const plan = withMeasured(end, measured)
  t.same(kindsOf(plan), ['measured', 'measured', 'project'])
  if (plan.kind !== 'measured' || plan.input.kind !== 'measured') throw new Error('not measured')
  t.same(
    [plan.of, plan.input.of],
    measured.map(({ of }) => of),
  )
  t.equal(plan.input.input, end)
})

t.test('each by its rows: a query for a measure, rows that are found, rows in windows', async (t) => {
  const kinds = ['Spent', 'Bought', 'Place'].map((name) => {
    const plan = withMeasured(end, measuredOf(name))
    return plan.kind === 'measured' ? plan.values.kind : ''
  })
  t.equal(new Set(kinds).size, 3, kinds.join())
  t.notOk(kinds.includes(''))
})

t.test('names begin with those of the query that they are in', async (t) => {
  const nameOf = (within?: string): string => {
    const plan = withMeasured(end, measuredOf('Spent'), within)
    return plan.kind === 'measured' ? wordsOf(plan.name) : ''
  }
  t.equal(nameOf(), 'Customers.Spent in ')
  t.equal(nameOf('inner'), 'inner Customers.Spent in ')
})

t.test('the pairs of a tree, from its nodes', async (t) => {
  const key = { expression: scan('t') as never, type: { kind: 'int' } as const }
  const rows = measuredOf('Bought').flatMap(({ rows: own }) => (own.kind === 'found' ? [own.rows] : []))
  const closure = {
    kind: 'closure',
    object: 'Tree',
    of: 'Regions',
    rows: rows[0]!,
    where: [],
    key,
    parent: key,
    maxDepth: 4,
  } as const
  const plan = withMeasured(end, [{ of: 'Tree', rows: closure }], 'inner')
  if (plan.kind !== 'pairs') throw new Error(plan.kind)
  t.match(plan, { object: 'Tree', of: 'Regions', maxDepth: 4, type: { kind: 'int' }, input: end })
  t.match(plan.nodes, { kind: 'project', stage: true, columns: [{ name: 'key' }, { name: 'parent' }] })
  t.same(Object.values(plan.names).map(wordsOf), [
    'inner Tree in ',
    'inner Tree_pairs in ',
    'inner Tree_levels in ',
    'inner Tree_parents in ',
  ])
})

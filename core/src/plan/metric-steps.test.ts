/** Metrics in dependency order: small ones are written inline, large ones are computed once. */
import t from 'tap'
import { FLOAT } from '../model/data-type.js'
import { leavesOf } from '../model/expression/ast.js'
import { binary, integer } from '../resolve/expressions.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { ExpressionStep, WindowStep } from '../resolve/resolved-query.js'
import type { LogicalPlan } from './logical-plan.js'
import { type Stepped, withSteps } from './metric-steps.js'

const ROWS: LogicalPlan = { kind: 'top-values', alias: 'rows' }
const column = (name: string): RowExpr => relationColumn('', name, FLOAT)
const plus = (left: RowExpr, right: RowExpr): RowExpr => binary('+', left, right)
const step = (name: string, expression: RowExpr): ExpressionStep => ({
  kind: 'expression',
  name,
  type: FLOAT,
  path: '',
  expression,
})
const rank = (name: string, of: string): WindowStep => {
  const orderBy = [{ expression: column(of), type: FLOAT, descending: true, nullsFirst: false }]
  return {
    kind: 'window',
    name,
    type: FLOAT,
    path: '',
    function: 'rank',
    args: [],
    partitionBy: [],
    rowsOf: [],
    rowsComparedWith: [],
    addsRows: true,
    orderBy,
  }
}
/** A metric that reads a column twice a hundred times. */
const large = (name: string, of: string): ExpressionStep => step(name, Array.from({ length: 100 }, () => column(of)).reduce(plus))

const planned = (steps: readonly (ExpressionStep | WindowStep)[], ...shown: readonly string[]): Stepped => {
  const outputs = shown.map((name) => ({
    name,
    type: FLOAT,
    role: 'metric' as const,
    expression: column(name),
    displayAs: undefined,
    format: undefined,
  }))
  return withSteps(ROWS, { steps, outputs, order: [], having: undefined })
}
/** The stages, the last one first, each with its columns. */
const stagesOf = (plan: LogicalPlan): readonly string[] => {
  if (plan.kind !== 'project' && plan.kind !== 'window') return []
  const calls = plan.kind === 'window' ? plan.calls : []
  return [`${plan.alias}: ${[...plan.columns, ...calls].map((c) => c.name).join(', ')}`, ...stagesOf(plan.input)]
}
const columnsOf = (expression: RowExpr): readonly string[] => leavesOf(expression).map((leaf) => leaf.name)

t.test('a small metric is written inline, however deeply it refers', (t) => {
  const { plan, read } = planned(
    [step('double', plus(column('a'), column('a'))), step('more', plus(column('double'), integer(1)))],
    'more',
  )
  t.equal(plan, ROWS)
  t.same(columnsOf(read(column('more'))), ['a', 'a'])
  t.end()
})

t.test('a large metric is computed in its own stage and read from there', (t) => {
  const { plan, read } = planned([large('sum', 'a'), step('more', plus(column('sum'), column('b')))], 'more')
  t.same(stagesOf(plan), ['metrics: b, sum'])
  t.same(columnsOf(read(column('more'))), ['sum', 'b'])
  t.end()
})

t.test('a large metric reads another one from the stage below', (t) => {
  const { plan } = planned([large('one', 'a'), large('two', 'one')], 'two')
  t.same(stagesOf(plan), ['metrics: two', 'metrics: one'])
  t.end()
})

t.test('a window is a stage; its sort key is written inline, and the other selected columns are carried through', (t) => {
  const { plan, read } = planned([step('ratio', plus(column('a'), column('b'))), rank('place', 'ratio')], 'place', 'ratio')
  t.same(stagesOf(plan), ['metrics: a, b, place'])
  t.same(columnsOf(read(column('place'))), ['place'])
  t.end()
})

t.test('columns that no later stage reads are not carried', (t) => {
  t.same(stagesOf(planned([rank('place', 'a'), rank('other', 'place')], 'other').plan), ['metrics: other', 'metrics: place'])
  t.end()
})

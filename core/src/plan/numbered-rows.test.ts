/** A join to the last row before a time as a join by equal numbers. */
import t from 'tap'
import {
  above,
  aggregate,
  column,
  filter,
  joinTo,
  limited,
  named,
  nodesIn,
  own,
  project,
  scan,
  sumOf,
} from '../../../test/support/plans.js'
import { said, saidTerms } from '../../../test/support/said.js'
import { DATE, INT } from '../model/data-type.js'
import type { AsOf } from '../model/join-term.js'
import { binary } from '../resolve/expressions.js'
import type { RelationColumn } from '../resolve/relation-column.js'
import { equal } from '../resolve/row-terms.js'
import type { LogicalPlan, RowExpr } from './logical-plan.js'
import { numberedJoin } from './numbered-rows.js'
import { planOfSpine, type SpineStep } from './spine.js'

const typeOf = (expression: RowExpr) => (expression.kind === 'column' ? expression.type : INT)
const sales = (name: string) => column('Sales', name)
const rates = (name: string) => column('Rates', name)
const asOf: AsOf<RowExpr> = {
  kind: 'as-of',
  found: 'to',
  value: column('Sales', 'day', DATE),
  at: column('Rates', 'since', DATE),
  direction: 'backward',
  within: undefined,
  ties: [rates('id')],
  zone: undefined,
}
const step = (condition: RowExpr): SpineStep => filter(scan('below'), condition)

interface Asked {
  readonly term?: Partial<AsOf<RowExpr>>
  readonly above?: readonly SpineStep[]
  readonly start?: LogicalPlan
  readonly of?: readonly RowExpr[]
}
function numbered({ term = {}, above: steps = [], start = scan('Sales'), of = [rates('rate'), sales('amount')] }: Asked = {}) {
  const term2 = { ...asOf, ...term }
  const join = joinTo(start, 'Rates', sales('currency'), {
    on: [equal<RelationColumn>(sales('currency'), rates('currency')), term2],
  })
  const reader = aggregate(
    scan('below'),
    [],
    of.map((one, i) => sumOf(`v${i}`, one)),
  )
  return numberedJoin({ join, below: { start, steps: [] }, above: steps, reader }, term2, typeOf)
}
const planOf = (asked: Asked = {}) => planOfSpine(numbered(asked).spine)
const conditions = (plan: LogicalPlan | undefined) =>
  plan ? nodesIn(plan, 'filter').map(({ condition }) => said(condition)) : []
const columns = (all: readonly { readonly name: string; readonly expression: RowExpr }[]) =>
  all.map(({ name, expression }) => `${name} = ${said(expression)}`)

t.test('the times of both sides are in one order, with what is read of the left rows', async (t) => {
  const [union] = nodesIn(planOf(), 'union')
  t.same(
    union?.columns.map(({ name }) => name),
    ['key_1', 'moment', 'amount', 'row'],
  )
  const [left, right] = union?.inputs ?? []
  t.same(left?.kind === 'project' && columns(left.columns).slice(0, 3), [
    'key_1 = Sales.currency',
    'moment = Sales.day',
    'amount = Sales.amount',
  ])
  t.same(right?.kind === 'project' && columns(right.columns).slice(0, 2), ['key_1 = Rates.currency', 'moment = Rates.since'])
  t.same(right?.kind === 'project' && columns(right.columns).at(-1), 'row = 1')
  t.same(conditions(right), ['Rates.since is not null'])
})

t.test('each row counts those of the target before it, of its own keys', async (t) => {
  const [counted, target] = nodesIn(planOf(), 'window').map(({ calls }) => calls[0]!)
  t.match(counted, { function: 'count', name: 'number' })
  t.equal(counted?.partitionBy.length, 1)
  t.match(counted, { frame: 'up-to-row' })
  t.equal(counted?.orderBy.length, 2, 'of one time, the rows of the target come first')
  t.match(target, { function: 'row_number', args: [] })
  t.same(
    target?.partitionBy.map((one) => said(one)),
    ['Rates.currency'],
  )
  t.same(
    target?.orderBy.map(({ expression }) => said(expression)),
    ['Rates.since', 'Rates.id'],
  )
})

t.test('rows meet by their keys and numbers', async (t) => {
  const { steps } = numbered().spine
  const [join] = steps
  t.match(join?.kind === 'join' && saidTerms(join.on), /key_1 = Rates\.key_1\) and \(Rates_before\.number = Rates\.number\)\)$/)
  t.notMatch(join?.kind === 'join' && saidTerms(join.on), 'moment')
  const near = numbered({ term: { within: { count: 1, unit: 'week' } } }).spine.steps[0]
  t.match(near?.kind === 'join' && saidTerms(near.on), /moment/, 'and near enough, if it must be')
})

t.test('the readers read the numbered rows', async (t) => {
  const { reader } = numbered()
  const read = reader.kind === 'aggregate' ? reader.aggregates.map(({ args }) => args.map((one) => said(one)).join()) : []
  t.match(read, ['Rates.rate', /_before\.amount$/])
})

t.test('conditions on the left rows alone are tested before, until rows are cut', async (t) => {
  const [left, right] = [step(above(sales('amount'))), step(above(rates('rate')))]
  const steps = (asked: readonly SpineStep[]) => numbered({ above: asked }).spine.steps.map(({ kind }) => kind)
  t.same(steps([left, right]), ['join', 'filter'])
  const [union] = nodesIn(planOf({ above: [left] }), 'union')
  t.ok(conditions(union).includes('(Sales.amount > 0)'))
  t.notOk(conditions(nodesIn(planOf({ above: [left, right] }), 'union')[0]).includes('(Rates.rate > 0)'))
  t.same(steps([step(binary('<', sales('amount'), rates('rate')))]), ['join', 'filter'], 'one on both is tested afterwards')
  t.same(steps([limited(scan('below')) as SpineStep, left]), ['join', 'limit', 'filter'], 'after a limit they stay')
  t.same(steps([left, limited(scan('below')) as SpineStep]), ['join', 'limit'])
  t.same(steps([step(above(sales('amount'), 1)), step(above({ ...rates('rate') }))]), ['join', 'filter'])
})

t.test('sums of several facts are columns of no relation', async (t) => {
  const start = project(scan('Sales'), [named('Total', sales('amount'))])
  const [union] = nodesIn(planOf({ start, of: [rates('rate'), own('Total'), own('Other')] }), 'union')
  t.same(
    union?.columns.map(({ name }) => name),
    ['key_1', 'moment', 'Total', 'row'],
  )
})

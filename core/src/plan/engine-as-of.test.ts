/** A join to the last row before a time as one that the engine knows. */
import t from 'tap'
import { above, aggregate, column, filter, joinTo, nodesIn, scan, sumOf } from '../../../test/support/plans.js'
import { said, saidTerms } from '../../../test/support/said.js'
import { DATE, INT } from '../model/data-type.js'
import type { AsOf } from '../model/join-term.js'
import type { RelationColumn } from '../resolve/relation-column.js'
import { equal } from '../resolve/row-terms.js'
import { engineJoin } from './engine-as-of.js'
import type { RowExpr } from './logical-plan.js'
import type { SpineStep } from './spine.js'

const typeOf = (expression: RowExpr) => (expression.kind === 'column' ? expression.type : INT)
const sales = (name: string) => column('Sales', name)
const rates = (name: string) => column('Rates', name)

function engine(term: Partial<AsOf<RowExpr>> = {}, steps: readonly SpineStep[] = []) {
  const asOf: AsOf<RowExpr> = {
    kind: 'as-of',
    found: 'to',
    value: column('Sales', 'day', DATE),
    at: column('Rates', 'since', DATE),
    direction: 'backward',
    within: undefined,
    ties: [],
    zone: undefined,
    ...term,
  }
  const join = joinTo(scan('Sales'), 'Rates', sales('currency'), {
    on: [equal<RelationColumn>(sales('currency'), rates('currency')), asOf],
  })
  const reader = aggregate(scan('below'), [], [sumOf('rate', rates('rate')), sumOf('amount', sales('amount'))])
  const { spine, reader: read } = engineJoin(
    { join, below: { start: scan('Sales'), steps: [] }, above: steps, reader },
    asOf,
    typeOf,
  )
  const [made, ...others] = spine.steps
  if (made?.kind !== 'join') throw new Error('no join')
  return {
    join: made,
    others,
    read: read.kind === 'aggregate' ? read.aggregates.map(({ args }) => args.map((one) => said(one)).join()) : [],
  }
}

t.test('the keys are equal, and the time is not before that of the found row', async (t) => {
  const { join } = engine()
  t.equal(saidTerms(join.on), '((Sales.currency = Rates.key_1) and (Sales.day >= Rates.moment))')
  t.equal(join.nearest, true)
  t.match(saidTerms(engine({ direction: 'forward' }).join.on), '(Sales.day <= Rates.moment)')
})

t.test('the target has only what is read', async (t) => {
  const { join } = engine({}, [filter(scan('below'), above(rates('kind')))])
  t.match(join.right, { kind: 'project', alias: 'Rates' })
  t.same(join.right.kind === 'project' && join.right.columns.map(({ name }) => name), ['key_1', 'moment', 'kind', 'rate'])
})

t.test('of several rows of one time the one with the greatest key is left', async (t) => {
  t.same(nodesIn(engine().join.right, 'window'), [], 'there is one')
  const { right } = engine({ ties: [rates('id')] }).join
  const [window] = nodesIn(right, 'window')
  t.same(
    window?.calls[0]?.partitionBy.map((one) => said(one)),
    ['Rates.currency', 'Rates.since'],
  )
  t.same(
    window?.calls[0]?.orderBy.map(({ expression, descending }) => `${said(expression)} ${descending}`),
    ['Rates.id true'],
  )
  t.match(
    nodesIn(right, 'filter').map(({ condition }) => said(condition)),
    ['Rates.since is not null', /\.place = 1\)$/],
  )
})

t.test('of a row that is too far away no value is read', async (t) => {
  t.same(engine().read, ['Rates.rate', 'Sales.amount'])
  const [rate, amount] = engine({ within: { count: 1, unit: 'week' } }).read
  t.match(rate, /^case .*Rates\.moment.*: Rates\.rate$/)
  t.equal(amount, 'Sales.amount')
})

/** What both sides of a join by time compare, which rows may be found, and in which order. */
import t from 'tap'
import { above, column, joinTo, nodesIn, scan } from '../../../test/support/plans.js'
import { said } from '../../../test/support/said.js'
import { DATE, INT } from '../model/data-type.js'
import type { AsOf } from '../model/join-term.js'
import { equal, holds } from '../resolve/row-terms.js'
import type { Join, RowExpr } from './logical-plan.js'
import { candidatesOf, comparedBy, inOrder, isKey, momentOf } from './times-of-rows.js'

const term = (more: Partial<AsOf<RowExpr>> = {}): AsOf<RowExpr> =>
  ({
    kind: 'as-of',
    value: column('sales', 'day', DATE),
    at: column('prices', 'since', DATE),
    direction: 'backward',
    ties: [column('prices', 'id')],
    ...more,
  }) as AsOf<RowExpr>
const [product, shop] = ['product', 'shop'].map((name) => equal(column('sales', name), column('prices', name)))
const joinOn = (...on: Join['on']): Join => ({ ...joinTo(scan('sales'), 'prices', column('sales', 'x')), on })
const typeOf = (expression: RowExpr) => (expression.kind === 'column' ? expression.type : INT)

t.test('keys are numbered, and the time is the last', async (t) => {
  const { here, there } = comparedBy(joinOn(product!, shop!), term(), typeOf)
  const told = (all: typeof here) => all.map(({ name, type, expression }) => `${name}: ${said(expression)} ${type.kind}`)
  t.same(told(here), ['key_1: sales.product int', 'key_2: sales.shop int', 'moment: sales.day date'])
  t.same(told(there), ['key_1: prices.product int', 'key_2: prices.shop int', 'moment: prices.since date'])
  t.same(
    here.filter(isKey).map(({ name }) => name),
    ['key_1', 'key_2'],
  )
  t.same(
    momentOf(here).map(({ name }) => name),
    ['moment'],
  )
})

t.test('rows with a time, of which the other conditions are true, may be found', async (t) => {
  const conditions = (join: Join) =>
    nodesIn(candidatesOf(join, term()), 'filter')
      .map(({ condition }) => said(condition))
      .join(' and ')
  t.equal(conditions(joinOn(product!)), 'prices.since is not null')
  t.match(conditions(joinOn(product!, holds(above(column('prices', 'price'))))), '(prices.price > 0)')
  t.notMatch(conditions(joinOn(product!)), 'product')
})

t.test('the last row before a time is the last in order, and the first after it, too', async (t) => {
  const order = (direction: 'backward' | 'forward') =>
    inOrder(term().at, term({ direction }), typeOf).map(
      ({ expression, descending }) => `${said(expression)}${descending ? ' desc' : ''}`,
    )
  t.same(order('backward'), ['prices.since', 'prices.id'])
  t.same(order('forward'), ['prices.since desc', 'prices.id'])
})

/** Joins to the last row before a time become joins by numbers, or the engine's own. */
import t from 'tap'
import { postgres } from '../../../plugins/dialect-postgres/src/index.js'
import { compileFor } from '../../../test/support/compile.js'
import { shopWith } from '../../../test/support/models.js'
import {
  above,
  aggregate,
  column,
  filter,
  joinsIn,
  joinTo,
  lookup,
  named,
  nodesIn,
  project,
  scan,
  sumOf,
} from '../../../test/support/plans.js'
import { DATE, INT } from '../model/data-type.js'
import type { AsOf } from '../model/join-term.js'
import type { RelationColumn, RowExpr } from '../resolve/relation-column.js'
import { equal, holds } from '../resolve/row-terms.js'
import { withoutAsOf } from './as-of-joins.js'
import type { Join, LogicalPlan } from './logical-plan.js'

const typeOf = (expression: RowExpr) => (expression.kind === 'column' ? expression.type : INT)
const sales = (name: string) => column('Sales', name)
const rates = (name: string) => column('Rates', name)
const asOf: AsOf<RowExpr> = {
  kind: 'as-of',
  found: 'to',
  value: column('Sales', 'day', DATE),
  at: column('Rates', 'day', DATE),
  direction: 'backward',
  within: undefined,
  ties: [rates('id')],
  zone: undefined,
}
const byCurrency = equal<RelationColumn>(sales('currency'), rates('currency'))
const found = (more: Partial<Join> = {}, term: Partial<AsOf<RowExpr>> = {}): Join =>
  joinTo(scan('Sales'), 'Rates', sales('currency'), { on: [byCurrency, { ...asOf, ...term }], ...more })
const total = (rows: LogicalPlan) => aggregate(rows, [named('Country', sales('country'))], [sumOf('Rate', rates('rate'))])
const kindsOn = (plan: LogicalPlan) => joinsIn(plan).map(({ on }) => on.map(({ kind }) => kind))
const conditionsOf = (plan: LogicalPlan) => nodesIn(plan, 'filter').map(({ condition }) => condition)

t.test('a plan without such joins is the same', async (t) => {
  const plain = total(filter(joinTo(scan('Sales'), 'Rates', sales('rate')), above(rates('rate'))))
  t.equal(withoutAsOf(plain, typeOf), plain)
})

t.test('both sides are united and counted, and the rows of the target are numbered', async (t) => {
  const plan = withoutAsOf(total(found()), typeOf)
  t.same(kindsOn(plan), [['equal', 'equal']])
  const [counted, numbered] = nodesIn(plan, 'window')
  t.same(
    counted?.calls.map((call) => [call.function, call.orderBy.length]),
    [['count', 2]],
    'of one time, the rows of the target come first',
  )
  t.same(
    numbered?.calls.map((call) => [call.function, call.orderBy.length]),
    [['row_number', 2]],
    'ties have an order',
  )
  t.equal(numbered?.alias, 'Rates')
  t.equal(nodesIn(plan, 'union').length, 1)
})

t.test('what is looked up for such rows stays as it is', async (t) => {
  const other = project(filter(scan('Other'), above(column('Other', 'rate'))), [named('Rate', column('Other', 'rate'))])
  const looked = lookup(filter(found(), above(rates('rate'))), other, [])
  const after = withoutAsOf(looked, typeOf)
  t.ok(after.kind === 'lookup' && after.from === other)
  t.same(kindsOn(after), [['equal', 'equal']])
  t.equal(nodesIn(after, 'window').length, 2)
})

t.test('a condition on the left side is tested before, one on the found row afterwards', async (t) => {
  const [left, right] = [above(sales('amount')), above(rates('rate'))]
  const plan = withoutAsOf(total(filter(filter(found(), left), right)), typeOf)
  const [union] = nodesIn(plan, 'union')
  t.ok(union && conditionsOf(union).includes(left))
  t.notOk(union && conditionsOf(union).some((one) => one === right))
  const top = plan.kind === 'aggregate' && plan.input
  t.match(top, { kind: 'filter' })
})

t.test('a condition of the join chooses the candidates on both sides of the numbers', async (t) => {
  const chosen = above(rates('edition'))
  const plan = withoutAsOf(total(found({ on: [byCurrency, asOf, holds<RelationColumn>(chosen)] })), typeOf)
  t.equal(conditionsOf(plan).filter((one) => one === chosen).length, 2)
  t.same(kindsOn(plan), [['equal', 'equal']])
})

t.test('a distance is one more condition on the row that is found', async (t) => {
  const plan = withoutAsOf(total(found({}, { within: { count: 7, unit: 'day' } })), typeOf)
  t.same(kindsOn(plan), [['equal', 'equal', 'holds']])
})

t.test('the engine is asked for the nearest row, and has one of each time', async (t) => {
  const plan = withoutAsOf(total(found({ byEngine: true })), typeOf)
  t.match(joinsIn(plan), [{ nearest: true, on: [{ kind: 'equal' }, { kind: 'holds' }] }])
  t.same(
    nodesIn(plan, 'window').map(({ calls }) => calls.map((call) => call.orderBy.map(({ descending }) => descending))),
    [[[true]]],
  )
  t.same(nodesIn(withoutAsOf(total(found({ byEngine: true }, { ties: [] })), typeOf), 'window'), [], 'no ties, no order')
})

t.test('a row that the engine finds too far away is read as NULL', async (t) => {
  const plan = withoutAsOf(total(found({ byEngine: true }, { within: { count: 7, unit: 'day' } })), typeOf)
  t.match(plan, { aggregates: [{ args: [{ kind: 'case', branches: [{ then: { table: 'Rates', name: 'rate' } }] }] }] })
})

t.test('rows that are chosen by what they reach are one relation, of the columns that are read', async (t) => {
  const sources = above(column('Sources', 'trusted'))
  const right = filter(joinTo(scan('Rates'), 'Sources', rates('source')), sources)
  const within = { ...found({ on: [byCurrency], right }), label: found().label }
  const plan = withoutAsOf(total(joinTo(within, 'Sources', rates('source'))), typeOf)
  const [inner] = nodesIn(plan, 'project')
  t.same(
    inner?.columns.map(({ name }) => name),
    ['currency', 'source', 'rate'],
    'and none of the object that is joined again',
  )
})

t.test('the joins above read the relations that are made', async (t) => {
  const plan = withoutAsOf(total(joinTo(found(), 'Countries', sales('country'))), typeOf)
  const [, countries] = joinsIn(plan)
  t.match(countries?.on, [{ from: { name: 'country' }, to: { table: 'Countries' } }])
  t.not(countries?.on[0]?.kind === 'equal' && countries.on[0].from.kind === 'column' && countries.on[0].from.table, 'Sales')
})

t.test('sums of several facts, which are no columns of a table, are kept beside the time', async (t) => {
  const model = shopWith({
    dataObjects: {
      Ratings: {
        code: 'ratings',
        columns: {
          Customer: { code: 'customer', abstractType: 'int', primaryKey: true },
          Day: { code: 'day', abstractType: 'date', primaryKey: true },
          Grade: { code: 'grade', abstractType: 'string' },
        },
      },
      Customers: {
        columns: { Since: { code: 'since', abstractType: 'date' } },
        joins: [
          {
            joinType: 'many-to-one',
            joinTo: 'Ratings',
            columnsFrom: ['Id'],
            columnsTo: ['Customer'],
            asOf: { time: 'Since', to: 'Day' },
          },
        ],
      },
    },
    dimensions: { Grade: { dataObject: 'Ratings', column: 'Grade' } },
    measures: { Kept: { aggregation: 'sum', expression: '{[Orders].[Amount]} - {[Returns].[Amount]}' } },
  })
  const { sql } = compileFor({ select: { dimensions: ['Grade'], measures: ['Kept'] } }, model, postgres)
  const [ofCustomers = ''] = /SELECT\s[^()]*CAST\(NULL AS BIGINT\) AS "row"/.exec(sql) ?? []
  t.match(ofCustomers, '"Orders.Amount"')
  t.match(ofCustomers, '"Returns.Amount"')
})

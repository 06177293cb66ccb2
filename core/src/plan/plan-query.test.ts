/** The shape of the computation of each kind of query: its limit, its top values, and its columns over other rows. */
import t from 'tap'
import { bound, boundBehind } from '../../../test/support/bound.js'
import { shop, shopWith } from '../../../test/support/models.js'
import { nodesIn } from '../../../test/support/plans.js'
import { planQuery } from './plan-query.js'

const plan = (query: object, model = shop) => planQuery(bound(query, model))
const sales = { select: { dimensions: ['Region'], measures: ['Sales'] } }

t.test('a limit and an offset are above the rows', async (t) => {
  t.equal(plan(sales).kind, 'project')
  t.match(plan({ ...sales, limit: 5 }), { kind: 'limit', limit: 5, offset: undefined })
  t.match(plan({ ...sales, limit: 5, offset: 2 }), { kind: 'limit', limit: 5, offset: 2, input: { kind: 'project' } })
  t.match(planQuery({ ...bound(sales, shop), limit: undefined, offset: 2 }), { kind: 'limit', limit: undefined, offset: 2 })
})

t.test('the top values are chosen before the answer', async (t) => {
  const chosen = plan({ ...sales, top: { dimension: 'Region', n: 3, by: 'Sales' }, limit: 9 })
  t.match(chosen, { kind: 'chosen', name: 'top_values', values: { kind: 'limit', limit: 3 }, input: { kind: 'limit', limit: 9 } })
  t.equal(nodesIn(chosen, 'top-values').length, 1)
})

t.test('each kind of rows has its plan', async (t) => {
  const subtotals = plan({ ...sales, grouping: 'rollup' })
  t.equal(nodesIn(subtotals, 'union').length, 1, 'a level and its total')
  t.equal(
    nodesIn(plan({ select: { dimensions: ['Region', 'Status'] }, dimensions_exclude: true }), 'join').some(
      ({ type }) => type === 'cross',
    ),
    true,
  )
  t.equal(nodesIn(plan({ select: { fields: ['Orders.Id'] } }), 'aggregate').length, 0)
  const shown = { grouping: { sets: 'rollup', of: 'shown' }, having: [{ field: 'Sales', op: '>', value: 1 }] }
  const cell = planQuery({ ...bound(sales, shop), rows: boundBehind({ ...sales, ...shown }, { cell: {}, shows: 'value' }, shop) })
  t.match(cell, { kind: 'measured' }, 'a total of what is shown is that of the shown tuples')
  t.equal(nodesIn(plan(sales), 'aggregate').length, 1)
})

t.test('columns over other rows are computed before it', async (t) => {
  const measured = shopWith({
    dataObjects: { Customers: { columns: { Bought: { measure: 'Order Count' } } } },
    dimensions: { Bought: { dataObject: 'Customers', column: 'Bought' } },
  })
  const [node] = nodesIn(plan({ select: { dimensions: ['Bought'], measures: ['Sales'] } }, measured), 'measured')
  t.match(node, { kind: 'measured', values: { kind: 'project' }, input: { kind: 'project' } })
})

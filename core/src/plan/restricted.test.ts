/** The plan under policies: what they read over other rows is computed before it. */
import t from 'tap'
import { bound, contextOf } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { above, column, nodesIn } from '../../../test/support/plans.js'
import { said } from '../../../test/support/said.js'
import type { BoundJoin, BoundRestriction } from '../bind/bound-block.js'
import { restrictionsOf } from '../bind/restrictions.js'
import { measuredAt, rootPath } from '../relation/relation.js'
import { integer, isNotNull, isNull } from '../resolve/expressions.js'
import type { RowExpr } from '../resolve/relation-column.js'
import { equal, holds, type RowTerm } from '../resolve/row-terms.js'
import type { LogicalPlan, Project } from './logical-plan.js'
import { planRestricted } from './restricted.js'

t.test(
  'a column over other rows that only a restriction reads is computed before the plan, in the rows that remain',
  async (t) => {
    const plain = shopWith({ dataObjects: { Customers: { columns: { Spent: { measure: 'Sales' } } } } })
    const column = { kind: 'column', object: 'Customers', column: 'Spent' } as const
    const rule = {
      label: '',
      dataObject: 'Customers',
      condition: { kind: 'leaf', column, operator: 'gt', values: [1], path: '' },
    } as const
    // No policy that loads reads it; a static filter of a row that a join over time finds may.
    const restriction = { missing: [], rows: [rule], removesFrom: new Set(['Customers', 'Orders']), withholdsSql: false }
    const model = { ...plain, restriction }
    const query = bound({ select: { measures: ['Order Count'] } }, model)
    t.same(query.measureColumns, [])
    const plan = planRestricted(query, restrictionsOf(contextOf(model), new Date(0)))
    t.match(plan, { kind: 'measured', of: measuredAt(rootPath('Customers'), 'Spent') })
    if (plan.kind === 'measured') t.match(JSON.stringify(plan.values), /"rowsOf":"Orders"/, 'and its rows are restricted')
  },
)

const NORTH = {
  label: '',
  dataObject: 'Regions',
  condition: {
    kind: 'leaf',
    column: { kind: 'column', object: 'Regions', column: 'Name' },
    operator: 'eq',
    values: ['north'],
    path: '',
  },
} as const
const removesFrom = new Set(['Orders', 'Customers', 'Regions'])
const priced = shopWith({ dimensions: { Price: { expression: '100 / {[Orders].[Amount]}', resultType: 'float' } } })
const restriction = { missing: [], rows: [NORTH], removesFrom, withholdsSql: false }
const left = restrictionsOf(contextOf({ ...priced, restriction }), new Date(0))!

/** The rows of an object in a plan, if something is changed about what is left of orders. */
function readOf(object: string, where: readonly object[], change: (left: BoundRestriction) => BoundRestriction = (one) => one) {
  const query = bound({ select: { dimensions: ['Status'], measures: ['Sales'] }, where }, priced)
  const plan = planRestricted(query, {
    of: (name) => (name === 'Orders' ? change(left.of(name)!) : left.of(name)),
    measureColumns: () => [],
  })
  return rowsOf(plan, object)
}
const rowsOf = (plan: LogicalPlan, object: string): readonly Project[] =>
  nodesIn(plan, 'project').filter((one) => one.rowsOf === object)
/** What is read of a column. */
const columnOf = (read: readonly Project[], name: string): string =>
  said(read[0]!.columns.find((one) => one.name === name)!.expression)
const cheap = [{ field: 'Price', op: 'gt', value: 3 }]
const [ofRegion, isThere, isNorth] = ['(Customers.region_id = Regions.id)', 'Regions.id is not null', "(Regions.name = 'north')"]

t.test('an object is read in the rows that a policy leaves', async (t) => {
  const [orders, ...more] = readOf('Orders', [])
  t.same(more, [])
  t.same(
    nodesIn(orders!, 'filter').map(({ condition }) => said(condition)),
    [isThere, isNorth],
  )
  t.same(readOf('Customers', []), [], 'the way of a policy reads whole tables')
})

t.test('a column in a condition that can fail is absent on the removed rows, and no other is', async (t) => {
  t.equal(columnOf(readOf('Orders', []), 'amount'), 'Orders.amount')
  const read = readOf('Orders', cheap)
  t.equal(columnOf(read, 'amount'), `case ((${ofRegion} and ${isThere}) and ${isNorth}): Orders.amount`)
  t.equal(columnOf(read, 'status'), 'Orders.status')
})

t.test('of a join, its equality is met first if its row must be there', async (t) => {
  const amount = (change: (left: BoundRestriction) => BoundRestriction): string =>
    columnOf(readOf('Orders', cheap, change), 'amount')
  const regionId = column('Regions', 'id')
  const ids = left.of('Orders')!.rows.joins.map(({ right }) => ('alias' in right ? right.alias : ''))
  const id = { ...regionId, table: ids[1]! }
  t.equal(
    amount((one) => ({ ...one, where: [isNull(id)] })),
    'case Regions.id is null: Orders.amount',
    'it must be absent',
  )
  t.equal(
    amount((one) => ({ ...one, where: [{ kind: 'unary', operator: 'not', operand: above(id) }] })),
    'case not (Regions.id > 0): Orders.amount',
  )
  const coalesced: RowExpr = { kind: 'call', name: 'coalesce', args: [id, integer(0)], portable: true }
  t.equal(
    amount((one) => ({ ...one, where: [isNotNull(coalesced)] })),
    'case coalesce(Regions.id, 0) is not null: Orders.amount',
    'a computed value is there without a row',
  )
  const on = (term: BoundJoin['on'][number]) =>
    amount((one) => ({
      ...one,
      rows: { ...one.rows, joins: one.rows.joins.map((join) => ({ ...join, on: [...join.on, term] })) },
    }))
  t.equal(on(holds(above(id))), `case (${isThere} and ${isNorth}): Orders.amount`, 'a condition of a join can fail')
  t.match(on(equal(id, id)), ofRegion)
  t.equal(
    amount((one) => ({ ...one, where: [] })),
    'Orders.amount',
    'nothing is removed',
  )
})

t.test('a join over time chooses among the rows that remain', async (t) => {
  const at = column('Orders', 'day')
  const inTime =
    (kind: 'within' | 'as-of' | 'equal', object: string) =>
    (one: BoundRestriction): BoundRestriction => {
      const end = { at, isOpen: false, isIncluded: true }
      const nearest = { found: 'to', direction: 'backward', within: undefined, ties: [], zone: undefined } as const
      const terms: Readonly<Record<typeof kind, RowTerm>> = {
        within: { kind: 'within', interval: 'to', value: at, start: end, end },
        'as-of': { kind: 'as-of', value: at, at, ...nearest },
        equal: equal(at, at),
      }
      const joins = one.rows.joins.map((join): BoundJoin => {
        return join.right.kind === 'scan' && join.right.object === 'Regions'
          ? { ...join, right: { ...join.right, object }, on: [...join.on, terms[kind]] }
          : join
      })
      return { ...one, rows: { ...one.rows, joins } }
    }
  const found = (...change: Parameters<typeof inTime>) => {
    const [orders] = readOf('Orders', [], inTime(...change))
    return ['Regions', 'Customers', 'Orders'].map((object) => rowsOf(orders!, object).length)
  }
  t.same(found('equal', 'Regions'), [0, 0, 1], 'other joins read whole tables')
  t.same(found('within', 'Regions'), [1, 0, 1])
  t.same(found('as-of', 'Regions'), [1, 0, 1])
  t.same(found('as-of', 'Orders'), [0, 0, 1], 'of the object itself, all rows are chosen among')
})

const PAID = {
  ...NORTH,
  dataObject: 'Orders',
  condition: { ...NORTH.condition, column: { kind: 'column', object: 'Orders', column: 'Status' } },
} as const
const ofStatus = restrictionsOf(contextOf({ ...priced, restriction: { ...restriction, rows: [PAID] } }), new Date(0))!
/** What a question reads under a policy on columns of the orders alone. */
const underPaid = (query: object, of: (object: string) => BoundRestriction | undefined = ofStatus.of): LogicalPlan =>
  planRestricted(bound(query, priced), { of, measureColumns: () => [] })
const conditionsIn = (plan: LogicalPlan): readonly string[] => nodesIn(plan, 'filter').map(({ condition }) => said(condition))
const isPaid = "(Orders.status = 'north')"
const byCountry = { dimensions: ['Region'], measures: ['Sales'] }

t.test('conditions on columns of the object that rows begin with are conditions of these rows', async (t) => {
  const plan = underPaid({ select: byCountry, where: [{ field: 'Status', op: 'neq', value: 'x' }] })
  t.same(rowsOf(plan, 'Orders'), [])
  const [rule, ...asked] = nodesIn(plan, 'filter')
  t.equal(said(rule!.condition), isPaid, 'before those of the query')
  t.equal(rule!.reason, 'rows that the access rules leave')
  t.equal(rule!.input.kind, 'join', 'after the joins, which keep the rows')
  t.equal(asked.length, 1)
})

t.test('in each of the rows that a plan combines', async (t) => {
  const plan = underPaid({ select: { measures: ['Sales', 'Order Count'] }, where: [] })
  const rows = nodesIn(plan, 'aggregate').length
  t.equal(conditionsIn(plan).filter((one) => one === isPaid).length, rows)
  t.ok(rows > 0)
})

t.test('before a limit', async (t) => {
  const plan = underPaid({ select: { fields: ['Orders.Status'] }, limit: 3 })
  const [limit] = nodesIn(plan, 'limit')
  t.same(conditionsIn(limit!.input), [isPaid])
  t.equal(nodesIn(plan, 'filter')[0]!.input.kind, 'scan')
})

t.test(
  'an object is a relation of its own where it is joined, where a condition can fail, and where others are read',
  async (t) => {
    const paid = ofStatus.of('Orders')!
    t.equal(rowsOf(underPaid({ select: { measures: ['Sales'] }, where: cheap }), 'Orders').length, 1, 'a condition can fail')
    t.equal(
      rowsOf(
        underPaid({ select: byCountry }, (name) =>
          name === 'Customers'
            ? { ...paid, rows: { ...paid.rows, start: { ...paid.rows.start, object: name, alias: 'x' } } }
            : undefined,
        ),
        'Customers',
      ).length,
      1,
      'it is joined',
    )
    t.equal(rowsOf(underPaid({ select: byCountry }, left.of), 'Orders').length, 1, 'the policy is on another object')
    t.equal(
      rowsOf(
        underPaid({ select: byCountry }, () => ({ ...paid, where: [] })),
        'Orders',
      ).length,
      1,
      'nothing is removed',
    )
  },
)

t.test('of rows that are a relation of their own, the columns that the plan reads', async (t) => {
  const [orders] = readOf('Orders', [])
  t.same(orders!.columns.map(({ name }) => name).toSorted(), ['amount', 'status'])
  const whole = left.of('Orders')!.columns.length
  t.ok(whole > 2)
  const counted = { 'Order Count': { columns: [], anchor: 'Orders' } }
  const query = bound({ select: { measures: ['Order Count'] } }, shopWith({ measures: counted }))
  const [rows] = rowsOf(planRestricted(query, { of: left.of, measureColumns: () => [] }), 'Orders')
  t.equal(rows!.columns.length, whole, 'rows of which nothing is read are there')
})

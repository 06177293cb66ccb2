/** The rows of a block as nodes: the scan and its joins, what they find, connections beside them, and the conditions on all. */
import t from 'tap'
import { boundAggregate } from '../../../test/support/bound.js'
import { manyToOne, PARCELS_AND_LABELS, shopWith } from '../../../test/support/models.js'
import { above, column, joinsIn, nodesIn, scan } from '../../../test/support/plans.js'
import { said } from '../../../test/support/said.js'
import type { BoundBlock, BoundFrom, BoundJoin, Scan } from '../bind/bound-block.js'
import { DATE, INT } from '../model/data-type.js'
import { planPartsOf } from './block.js'
import { filtered, planFound, planFrom, planRows, planWindowed } from './from.js'
import type { LogicalPlan } from './logical-plan.js'

const model = shopWith(PARCELS_AND_LABELS, {
  dataObjects: { Items: { joins: [manyToOne('Orders', 'Order Id', { foreignKey: true })] } },
  measures: { Kept: { aggregation: 'sum', expression: '{[Orders].[Amount]} - {[Returns].[Amount]}', anchor: 'Customers' } },
})
const parts = planPartsOf()
function blockOf(dimensions: readonly string[], measures: readonly string[] = ['Sales'], more: object = {}): BoundBlock {
  const [leg] = boundAggregate({ select: { dimensions, measures }, ...more }, model).legs
  return leg!.block
}
const plan = (...asked: Parameters<typeof blockOf>): LogicalPlan => planFrom(blockOf(...asked).from, parts)
const rowsOf = (
  right: BoundJoin['right'] | undefined,
  start: Partial<Scan> = {},
  more: Partial<BoundJoin> = {},
): BoundFrom['base'] => ({
  start: { ...scan('t'), ...start } as Scan,
  joins: right ? [{ type: 'left', right, on: [], label: { from: 't', to: 'u', columns: [], reason: '' }, ...more }] : [],
})
const days = (count: number, first?: string): Partial<Scan> => ({ alias: 'd', days: { first, count } })

t.test('the base is scanned, and what it refers to is joined', async (t) => {
  const made = plan(['Region'])
  t.same(
    joinsIn(made).map(({ right, findsOne }) => [right.kind === 'scan' && right.object, findsOne]),
    [
      ['Customers', true],
      ['Regions', true],
    ],
  )
  t.equal(plan([]).kind, 'scan')
})

t.test('a join can find several rows, and says by which column it finds one', async (t) => {
  const one = planRows(rowsOf(scan('u') as never, {}, { matchedBy: [column('t', 'n')] }), parts)
  t.match(one, { kind: 'join', type: 'left', findsOne: true, matchedBy: [{ name: 'n' }] })
  const several = planRows(rowsOf(scan('u') as never, {}, { findsSeveral: true, type: 'inner' }), parts)
  t.notOk('findsOne' in several)
  t.notOk('matchedBy' in several)
  t.match(several, { type: 'inner' })
})

t.test('facts meet the base on their right', async (t) => {
  const made = plan(['Region'], ['Kept'])
  const [meeting] = joinsIn(made).filter(({ label }) => label.from === 'the facts')
  t.match(meeting, { type: 'left', left: { kind: 'combine' }, right: { kind: 'scan', object: 'Customers' } })
  t.equal(nodesIn(made, 'combine')[0]?.legs.length, 3)
})

t.test('a connection is joined to the left, as it is or as a relation of its own', async (t) => {
  const [join] = joinsIn(plan(['Product']))
  t.match(join, { type: 'left', right: { kind: 'scan', object: 'Items' } })
  t.notOk('findsOne' in join!, 'it finds several')
  const apart = joinsIn(plan(['Product', 'Label'])).filter(({ label }) => label.reason.startsWith('bridge'))
  t.same(
    new Set(apart.map(({ right }) => right.kind)),
    new Set(['distinct', 'aggregate']),
    'equal rows are one, or have the sum of their weights',
  )
})

t.test('a row is found by its connection', async (t) => {
  const [join] = joinsIn(plan(['Product']))
  t.match(join, { foundBy: [{ name: 'order_id' }] })
  t.notOk('foundBy' in joinsIn(plan(['Label'])).filter(({ label }) => label.reason.startsWith('bridge'))[0]!)
})

t.test('the top values are joined last', async (t) => {
  const top = { dimension: 'Region', n: 3, by: 'Sales' }
  t.match(plan(['Region'], ['Sales'], { top }), { kind: 'join', right: { kind: 'top-values' } })
  t.same(nodesIn(plan(['Region']), 'top-values'), [])
})

t.test('days are numbers, as many as they need digits', async (t) => {
  const made = planRows(rowsOf(undefined, days(100, '2024-01-01')), parts)
  t.same(
    nodesIn(made, 'numbers').map(({ names, places }) => [names, places]),
    [
      [
        ['n_10', 'n'],
        [10, 1],
      ],
    ],
  )
  t.same(
    nodesIn(made, 'filter').map(({ condition }) => said(condition)),
    ['(n < 100)'],
  )
  t.match(made, { kind: 'project', alias: 'd' })
  const columns = (plan: LogicalPlan) =>
    plan.kind === 'project' && plan.columns.map(({ name, expression }) => `${name} = ${said(expression)}`)
  t.same(columns(made), ["day = date_add('day', n, '2024-01-01')"])
  t.same(nodesIn(planRows(rowsOf(undefined, days(101)), parts), 'numbers')[0]?.names, ['n_100', 'n_10', 'n'])
  t.same(columns(planRows(rowsOf(undefined, days(0)), parts)), ['number = n'], 'numbers without a first day')
})

t.test('days can be joined', async (t) => {
  const joined = planRows(rowsOf({ ...scan('x'), ...days(31) } as never), parts)
  t.equal(nodesIn(joined, 'numbers').length, 1)
  t.same(nodesIn(planRows(rowsOf(scan('x') as never), parts), 'numbers'), [])
})

t.test('a period of days is one row, beside each', async (t) => {
  const range = {
    kind: 'day-range',
    rows: rowsOf(undefined),
    where: [above(column('t', 'n'))],
    day: column('t', 'day', DATE),
    alias: 'r',
  }
  const made = planRows(rowsOf(range as never), parts)
  t.match(made, { kind: 'join', type: 'cross' })
  const [ends] = nodesIn(made, 'aggregate')
  t.same(
    ends?.aggregates.map(({ name, aggregate, args }) => `${name} = ${aggregate}(${args.map(said).join()})`),
    ['first = min(t.day)', 'last = max(t.day)'],
  )
  t.same(ends?.keys, [])
  t.same(
    nodesIn(made, 'filter').map(({ condition }) => said(condition)),
    ['(t.n > 0)'],
  )
})

t.test('rows are found once by each link', async (t) => {
  const links = [{ name: 'link', expression: column('t', 'n'), type: INT }]
  const made = planFound(
    { kind: 'found', rows: rowsOf(undefined), where: [above(column('t', 'n'))], links, alias: 'f' } as never,
    parts,
  )
  t.match(made, { kind: 'distinct', alias: 'f', columns: [{ name: 'link' }, { name: 'hit' }] })
  t.same(nodesIn(made, 'filter').length, 1)
})

t.test('a running window ends with its row', async (t) => {
  const call = { name: 'value', type: INT, function: 'sum', args: [], partitionBy: [], orderBy: [] }
  const window = (running: boolean) =>
    planWindowed(
      { kind: 'windowed', rows: rowsOf(undefined), where: [], keys: [], call: { ...call, running }, alias: 'w' } as never,
      parts,
    )
  t.match(window(true), { kind: 'window', calls: [{ function: 'sum', frame: 'up-to-row' }] })
  const [whole] = nodesIn(window(false), 'window')[0]!.calls
  t.notOk('frame' in whole!)
  t.notOk('running' in whole!)
})

t.test('conditions are filters, the first one innermost', async (t) => {
  const conditions = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ expression: above(column('t', 'n'), i), reason: `${i}` }))
  const made = filtered(scan('t'), conditions(3))
  t.same(
    nodesIn(made, 'filter').map(({ reason }) => reason),
    ['0', '1', '2'],
  )
  t.same(
    nodesIn(made, 'filter').map(({ isNear }) => isNear),
    [undefined, undefined, undefined],
  )
  t.match(filtered(scan('t'), [{ ...conditions(1)[0]!, isNear: true }]), { isNear: true })
  t.same(
    [50, 51].map((count) => nodesIn(filtered(scan('t'), conditions(count)), 'filter').length),
    [50, 1],
    'more than fifty are one',
  )
})

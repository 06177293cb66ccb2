/** Coarser values that add up are aggregated over the groups of the answer, if the engine computes these once and hashes joins. */
import t from 'tap'
import { postgres } from '../../../../plugins/dialect-postgres/src/index.js'
import { compileFor, loadText } from '../../../../test/support/compile.js'
import {
  above,
  aggregate,
  column,
  factsOf,
  limited,
  lookup,
  named,
  nodesIn,
  own,
  scan,
  sumOf,
} from '../../../../test/support/plans.js'
import { said } from '../../../../test/support/said.js'
import { INT } from '../../model/data-type.js'
import { binary } from '../../resolve/expressions.js'
import type { LogicalPlan, Lookup, NamedWindow, Window } from '../logical-plan.js'
import { groupTotals } from './group-totals.js'

const MODEL = loadText(`
version: 1
name: shop
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Day: { code: day, abstractType: date }
      City: { code: city, abstractType: string }
      State: { code: state, abstractType: string }
      Price: { code: price, abstractType: float, sqlType: 'DECIMAL(9, 2)' }
dimensions:
  City: { dataObject: Orders, column: City }
  State: { dataObject: Orders, column: State }
  Day: { dataObject: Orders, column: Day }
measures:
  Price: { aggregation: sum, columns: [{ dataObject: Orders, column: Price }] }
  Orders: { aggregation: count, columns: [{ dataObject: Orders, column: Id }] }
  Price of City: { aggregation: sum, columns: [{ dataObject: Orders, column: Price }], grain: { mode: FIXED, keepOnly: [City] } }
  Orders of City: { aggregation: count, columns: [{ dataObject: Orders, column: Id }], grain: { mode: FIXED, keepOnly: [City] } }
  Days of City: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Day }], grain: { mode: FIXED, keepOnly: [City] } }
  Price of State: { aggregation: max, columns: [{ dataObject: Orders, column: Price }], grain: { mode: FIXED, keepOnly: [State] } }
  All Prices: { aggregation: sum, columns: [{ dataObject: Orders, column: Price }], total: true }
`)

const ROWS: readonly (readonly [title: string, measures: readonly string[], coarser: readonly string[], windows: number])[] = [
  ['totals with the same keys are one aggregation', ['Price of City', 'Orders of City'], ['City'], 0],
  ['and a count of different values by these keys is in it', ['Price of City', 'Days of City'], ['City'], 0],
  ['each set of keys is an aggregation', ['Price of State', 'Price of City', 'Days of City'], ['City', 'State'], 0],
  ['a total of all groups is a window', ['All Prices'], [], 1],
  ['beside aggregated totals, too', ['Price of City', 'All Prices'], ['City'], 1],
]

for (const [title, measures, coarser, windows] of ROWS)
  t.test(title, (t) => {
    const query = { select: { dimensions: ['City', 'State', 'Day'], measures: ['Price', 'Orders', ...measures] } }
    const { sql } = compileFor(query, MODEL)
    const keys = [
      ...sql.matchAll(
        /SELECT\s+"groups"\."(\w+)"(?: AS "\w+")?,\s+[A-Z(]+DISTINCT|SELECT\s+"groups"\."(\w+)"(?: AS "\w+")?,\s+(?:CAST|SUM|MAX)/g,
      ),
    ]
    t.strictSame(
      keys.map((found) => found[1] ?? found[2]),
      coarser,
    )
    t.equal(sql.split(' OVER (').length - 1, windows)
    t.equal(sql.split('FROM "orders"').length, 2, 'the rows are read once')
    t.match(compileFor(query, MODEL, postgres).sql, ' OVER (', 'another engine has windows')
    t.end()
  })

const groups = aggregate(
  scan('orders'),
  [named('city', column('orders', 'city')), named('state', column('orders', 'state'))],
  [sumOf('price', column('orders', 'price'))],
  { alias: 'sums' },
)
const totalBy = (name: string, ...partition: readonly string[]): NamedWindow =>
  ({
    name,
    type: INT,
    function: 'sum',
    args: [own('price')],
    partitionBy: partition.map((key) => own(key)),
    orderBy: [],
    frame: undefined,
    where: undefined,
  }) as unknown as NamedWindow
const windowed = (...calls: readonly NamedWindow[]): Window =>
  ({ kind: 'window', input: groups, alias: 'windowed', columns: [], calls }) as unknown as Window

const rewrite = (node: LogicalPlan) => groupTotals.rewrite(node, factsOf())
const chained = (node: LogicalPlan): readonly Lookup[] => (node.kind === 'lookup' ? [...chained(node.input), node] : [])
const shown = (node: LogicalPlan | undefined) =>
  node &&
  chained(node).map(({ from, keys, values }) => {
    if (from.kind !== 'aggregate') return from.kind
    const args = from.aggregates.map((one) => `${one.aggregate}(${one.args.map((arg) => said(arg))})`).join()
    return `${args} as ${values.map(({ name }) => name)} by ${keys.map(({ theirs }) => theirs)}`
  })

t.test('windows of groups with the same keys are one aggregation of the groups', async (t) => {
  const node = rewrite(windowed(totalBy('of city', 'city'), totalBy('of state', 'state'), totalBy('again', 'city')))
  t.equal(shown(node)?.length, 2)
  t.match(shown(node)?.[0], /^sum\(.*\.price\),sum\(.*\.price\) as of city,again by city$/)
  t.match(shown(node)?.[1], /^sum\(.*\.price\) as of state by state$/)
  const [first] = chained(node!)
  t.equal(nodesIn(node!, 'window').length, 0)
  t.ok(
    first?.keys.every(({ nullSafe }) => nullSafe),
    'NULL is a key like others',
  )
  t.equal(first?.from.kind === 'aggregate' && first.from.input.kind, 'shared', 'the groups are computed once')
})

t.test('other windows stay', async (t) => {
  const ranked = { ...totalBy('rank', 'city'), function: 'rank' }
  const all = totalBy('all')
  const ordered = { ...totalBy('so far', 'city'), orderBy: [{ expression: own('state') }] } as unknown as NamedWindow
  const framed = { ...totalBy('near', 'city'), frame: {} } as unknown as NamedWindow
  const chosen = { ...totalBy('some', 'city'), where: above(own('price')) } as unknown as NamedWindow
  const computed = { ...totalBy('twice', 'city'), args: [binary('+', own('price'), own('price'))] } as unknown as NamedWindow
  const foreign = { ...totalBy('other', 'city'), partitionBy: [column('t', 'city')] }
  for (const call of [ranked, all, ordered, framed, chosen, computed, foreign]) {
    t.equal(rewrite(windowed(call)), undefined, call.name)
    const node = rewrite(windowed(call, totalBy('of city', 'city')))
    t.same(
      nodesIn(node!, 'window').flatMap(({ calls }) => calls.map(({ name }) => name)),
      [call.name],
    )
    t.match(shown(node), [/as of city by city$/])
  }
})

t.test('a lookup of the same groups by the same keys has the totals, too', async (t) => {
  const [first] = chained(rewrite(windowed(totalBy('first', 'city')))!)
  const sharedInput = first!.input
  const over = (keys: Lookup['keys'], from: LogicalPlan = first!.from): Lookup => ({
    ...first!,
    input: { ...windowed(totalBy('of city', 'city')), input: sharedInput },
    keys,
    from,
  })
  const node = rewrite(over(first!.keys))
  t.match(shown(node), [/as first,of city by city$/])
  t.equal(shown(rewrite(over(first!.keys, limited(first!.from))))?.length, 2, 'another relation')
  const byState = first!.keys.map((key) => ({ ...key, own: own('state'), theirs: 'state' }))
  t.equal(shown(rewrite(over(byState)))?.length, 2, 'by other keys')
})

t.test('each total is beside the lookup with its keys, and the others follow the last of these groups', async (t) => {
  const [first] = chained(rewrite(windowed(totalBy('first', 'city')))!)
  const both = { ...windowed(totalBy('of city', 'city'), totalBy('of state', 'state')), input: first!.input }
  const node = rewrite(lookup({ ...first!, input: both }, scan('u'), ['v']))
  t.match(shown(node), [/as first,of city by city$/, /as of state by state$/, /^scan$/])
  const two = rewrite(lookup(lookup({ ...first!, input: both }, scan('u'), ['v']), limited(groups), ['w']))
  t.match(shown(two), [/by city$/, /by state$/, /^scan$/, /^limit$/])
})

t.test('lookups of other rows stay, before the totals of the groups', async (t) => {
  const node = rewrite(lookup(windowed(totalBy('of city', 'city')), scan('u'), ['v']))
  t.equal(chained(node!).length, 2)
  t.match(shown(node)?.[0], /as of city by city$/)
})

t.test('nothing else is known', async (t) => {
  t.equal(rewrite(groups), undefined)
  t.equal(rewrite(lookup(groups, scan('u'), ['v'])), undefined)
})
